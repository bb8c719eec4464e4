import { Logger } from '@nestjs/common';
import { runInContext } from '#libs/http';
import { createLog, logRequests } from './log.js';
import { NestLogger } from './nest-logger.js';

const collect = () => {
  const lines: Record<string, unknown>[] = [];
  return { lines, stream: { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) } };
};

describe('The log', () => {
  it('says on every line which request it belongs to', () => {
    const { lines, stream } = collect();
    const log = createLog('info', stream);
    log.info('outside');
    runInContext({ requestId: 'r', traceId: 't', tenantId: 'n', principalId: 'p', auditId: 'a' }, () => log.info('inside'));
    expect(lines).toMatchObject([
      { msg: 'outside' },
      { msg: 'inside', level: 'info', requestId: 'r', traceId: 't', tenantId: 'n', principalId: 'p', auditId: 'a' },
    ]);
    expect(lines[0]).not.toHaveProperty('requestId');
    expect(lines[0]!['time']).toMatch(/^\d{4}-\d{2}-\d{2}T.*Z$/);
  });

  it('has one line a request, with its pattern and no URL, louder where the fault is ours, and none for a probe', () => {
    const { lines, stream } = collect();
    const tell = logRequests(createLog('info', stream));
    const request = {
      context: { requestId: 'r', principalId: 'p' },
      method: 'GET',
      route: '/api/things/:id',
      status: 200,
      durationMs: 1.2345,
      aborted: false,
      isStream: false,
    };
    tell(request);
    tell({ ...request, status: 503, aborted: true });
    tell({ ...request, route: '/health/ready' });
    tell({ ...request, route: '/health/ready', status: 503 });
    expect(lines).toMatchObject([
      {
        level: 'info',
        requestId: 'r',
        principalId: 'p',
        method: 'GET',
        route: '/api/things/:id',
        status: 200,
        durationMs: 1.2,
        msg: 'request',
      },
      { level: 'error', status: 503, aborted: true },
      { level: 'error', route: '/health/ready' },
    ]);
  });

  it('says what failed and where, and nothing that a driver hung on the error', () => {
    const { lines, stream } = collect();
    const error = Object.assign(
      new Error('relation does not exist', { cause: Object.assign(new Error('inner'), { password: 'secret' }) }),
      {
        code: '42P01',
        query: 'select $1',
        parameters: ['secret'],
        detail: 'Key (token)=(secret)',
      },
    );
    createLog('info', stream).error({ err: error }, 'failed');
    expect(lines[0]).toMatchObject({
      err: {
        type: 'Error',
        message: 'relation does not exist',
        code: '42P01',
        stack: expect.stringContaining('log.spec') as string,
        cause: { message: 'inner' },
      },
    });
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  it('takes what Nest and our own loggers say, and keeps its start to itself', () => {
    const { lines, stream } = collect();
    const logger = new NestLogger(createLog('info', stream));
    Logger.overrideLogger(logger);
    try {
      new Logger('Http').error(new TypeError('broken'));
      new Logger('Projections').error('inbox stopped', 'Error: x\n    at y.ts:1:1');
      new Logger('Store').warn('slow');
      new Logger('RoutesResolver').log('Mapped');
      logger.log({ answer: 42 });
    } finally {
      Logger.overrideLogger(false);
    }
    expect(lines).toMatchObject([
      { level: 'error', name: 'Http', msg: 'broken', err: { type: 'TypeError', stack: expect.stringContaining('log.spec') as string } },
      { level: 'error', name: 'Projections', msg: 'inbox stopped', stack: expect.stringContaining('y.ts') as string },
      { level: 'warn', name: 'Store', msg: 'slow' },
      { level: 'info', msg: '{"answer":42}' },
    ]);
  });
});
