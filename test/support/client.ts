/** What an HTTP call answered: status, headers, and the JSON or text of the body. */
export type Answer<T = Record<string, unknown>> = Readonly<{ status: number; headers: Headers; body: T }>;
export type CallOptions = Readonly<{ key?: string; headers?: Readonly<Record<string, string>> }>;

/** One credential's view of a server, over real HTTP. */
export class Client {
  constructor(
    readonly url: string,
    readonly credential: string | undefined,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  with(headers: Readonly<Record<string, string>>): Client {
    return new Client(this.url, this.credential, { ...this.headers, ...headers });
  }

  /** The same person or agent, at another server of the same stores. */
  at(url: string): Client {
    return new Client(url, this.credential, this.headers);
  }

  /** Somebody else at the same server. */
  withCredential(credential: string): Client {
    return new Client(this.url, credential, this.headers);
  }

  get<T = any>(path: string, options?: CallOptions): Promise<Answer<T>> {
    return this.call<T>('GET', path, undefined, options);
  }

  post<T = any>(path: string, body: unknown = {}, options?: CallOptions): Promise<Answer<T>> {
    return this.call<T>('POST', path, JSON.stringify(body), options);
  }

  delete<T = any>(path: string, options?: CallOptions): Promise<Answer<T>> {
    return this.call<T>('DELETE', path, undefined, options);
  }

  put<T = any>(path: string, bytes: string | Uint8Array, options?: CallOptions): Promise<Answer<T>> {
    return this.call<T>('PUT', path, bytes, { ...options, headers: { 'content-type': 'application/octet-stream', ...options?.headers } });
  }

  /** Any method with a body as it is, for what a well-behaved client would not send. */
  async call<T = any>(method: string, path: string, body?: string | Uint8Array, { key, headers }: CallOptions = {}): Promise<Answer<T>> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...(this.credential !== undefined && { authorization: `Bearer ${this.credential}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
        ...this.headers,
        ...headers,
      },
      ...(body !== undefined && { body: body as string }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: (isJson(response) && text !== '' ? JSON.parse(text) : text) as T };
  }
}

const isJson = (response: Response): boolean => /json/.test(response.headers.get('content-type') ?? '');
