import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * What every log line of a request carries. `requestId` is given by the server; `traceId` and `parentSpanId` come from a
 * valid `traceparent`; the rest is noted as it becomes known.
 */
export type RequestContext = {
  readonly requestId: string;
  readonly traceId?: string;
  readonly parentSpanId?: string;
  auditId?: string;
  tenantId?: string;
  principalId?: string;
  credentialId?: string;
  /** The code of the problem that it was answered with. */
  problem?: string;
};

const contexts = new AsyncLocalStorage<RequestContext>();

/** The request that is being answered; undefined outside of one (reactors, timers). */
export const requestContext = (): RequestContext | undefined => contexts.getStore();

export const runInContext = <T>(context: RequestContext, run: () => T): T => contexts.run(context, run);

/** Adds to the request's context what became known of it; outside of a request it does nothing. */
export const noteOnRequest = (
  known: Partial<Pick<RequestContext, 'auditId' | 'tenantId' | 'principalId' | 'credentialId' | 'problem'>>,
): void => {
  const context = contexts.getStore();
  if (context) Object.assign(context, known);
};
