import { Agent, request } from 'node:http';

/**
 * Calls over kept connections. `seen(kind, milliseconds, status)` is told of each answer, with `command` or `read` as its kind. What is no
 * success rejects with the problem's own words.
 */
export const callsTo = (url, seen) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 512 });
  const send = (credential, extra, method, path, bytes, type) =>
    new Promise((resolve, reject) => {
      const began = performance.now();
      const outgoing = request(url + path, {
        agent,
        method,
        headers: {
          authorization: `Bearer ${credential}`,
          ...(bytes && { 'content-type': type, 'content-length': Buffer.byteLength(bytes) }),
          ...extra,
        },
      });
      outgoing.on('error', reject).on('response', async (response) => {
        try {
          const chunks = [];
          for await (const chunk of response) chunks.push(chunk);
          const { statusCode: status } = response;
          seen(method === 'GET' ? 'read' : 'command', performance.now() - began, status);
          const text = Buffer.concat(chunks).toString();
          if (status >= 300) return reject(new Error(`${method} ${path}: ${status} ${text.slice(0, 500)}`));
          resolve(text === '' ? undefined : JSON.parse(text));
        } catch (error) {
          reject(error);
        }
      });
      outgoing.end(bytes);
    });
  /** One credential's view. */
  const as = (credential, extra = {}) => ({
    get: (path) => send(credential, extra, 'GET', path),
    post: (path, body = {}) => send(credential, extra, 'POST', path, JSON.stringify(body), 'application/json'),
    put: (path, bytes) => send(credential, extra, 'PUT', path, bytes, 'application/octet-stream'),
    with: (headers) => as(credential, { ...extra, ...headers }),
  });
  return { as, close: () => agent.destroy() };
};
