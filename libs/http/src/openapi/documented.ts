/** RFC 9457 with our members; the facts of a refusal are further members. */
export const PROBLEM = {
  type: 'object',
  required: ['type', 'title', 'status', 'code', 'detail'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'urn:workbench:problem:<code>' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string', description: 'Stable: decide by this.' },
    detail: { type: 'string', description: 'A sentence that says what to do.' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['pointer', 'detail'],
        properties: {
          pointer: {
            type: 'string',
            description: 'JSON pointer into the body; /query/…, /path/… and /header/… for the rest of the request.',
          },
          detail: { type: 'string' },
        },
      },
    },
    requestId: { type: 'string', format: 'uuid' },
    auditId: { type: 'string', format: 'uuid' },
  },
  additionalProperties: true,
};

export const WAIT_FOR = {
  name: 'waitFor',
  in: 'query',
  required: false,
  description: 'Wait (at most 5 s) until reads have reached this position.',
  schema: { type: 'string', pattern: '^(0|[1-9][0-9]{0,18})$' },
};

export const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same key gives the same answer and one effect, however often it is sent.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]{1,255}$' },
};

export const INTERNAL = '- `server/internal`: A fault of ours; the requestId helps us find it.';
