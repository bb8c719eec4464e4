/** Ids in lower-case hex, as W3C Trace Context has them. */
export type TraceParent = Readonly<{ traceId: string; spanId: string; sampled: boolean }>;

/** Reads the header `traceparent`. An invalid one is ignored, as the standard asks: undefined. */
export const parseTraceparent = (header: string | undefined): TraceParent | undefined => {
  const match = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(header ?? '');
  if (!match) return undefined;
  const [, version, traceId, spanId, flags, more] = match as unknown as [string, string, string, string, string, string | undefined];
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (parseInt(flags, 16) & 1) === 1 };
};
