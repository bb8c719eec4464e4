export { createHttpApp } from './edge/create-http-app.js';
export { Bytes, TakesBytes } from './edge/bodies.js';
export { Admission, CAPACITY, LANES, type Capacity, type Lane } from './edge/admission.js';
export { standAside } from './edge/place.js';
export { Drain } from './edge/drain.js';
export { EDGE_DEFAULTS, type EdgeOptions, type FinishedRequest } from './edge/options.js';
export { noteOnRequest, requestContext, runInContext, type RequestContext } from './edge/request-context.js';
export { bind, faultsOfDto, type BindOptions } from './fields/bind.js';
export {
  Digits,
  Flag,
  Id,
  JsonObject,
  ListOf,
  Nested,
  OneOf,
  Ruled,
  Sha256,
  Text,
  Time,
  Whole,
  fieldsOf,
  type FieldOptions,
} from './fields/fields.js';
export { RequestPipe, invalid } from './fields/request.pipe.js';
export {
  digits,
  flag,
  id,
  jsonObject,
  listOf,
  oneOf,
  sha256Hex,
  shape,
  text,
  time,
  whole,
  type ListLimits,
  type Rule,
  type TextOptions,
} from './fields/rules.js';
export { parseJson } from './json/lossless-json.js';
export { pointerTo } from './json/scan-json.js';
export { completeDocument, undescribedProblems } from './openapi/complete-document.js';
export { describeApi, type ApiDescription } from './openapi/describe-api.js';
export { answer } from './parameters/answer.js';
export { IfMatch, assertMatch, etag, parseIfMatch, type Expected } from './parameters/etag.js';
export { parseIdempotencyKey } from './parameters/idempotency-key.js';
export { ApiPage, CommandAnswer, Page, pageOf, readCursor, writeCursor, type PageOf } from './parameters/page.js';
export { DigitsParam, IdParam, Sha256Param } from './parameters/parameters.js';
export { parseTraceparent, type TraceParent } from './parameters/traceparent.js';
export { ReadPositions } from './parameters/wait-for.interceptor.js';
export { describeProblems, problemCodes, problemDescription, type ProblemDescription } from './problems/descriptions.js';
export { ProblemFilter } from './problems/problem.filter.js';
export { problemOf } from './problems/problem-of.js';
export { EdgeError, problemBody, problemText, statusOf, type Problem } from './problems/problem.js';
export { Problems, WithoutCredential } from './problems/problems.decorator.js';
export { isUnavailable } from './problems/unavailability.js';
export { EventStreams, lastEventIdOf, STREAM_LIMITS, type StreamLimits } from './streams/event-streams.js';
export { eventFrame } from './streams/frame.js';
export { ApiEventStream } from './openapi/event-stream.js';
export type { SseStream } from './streams/sse-stream.js';
