import { ForbiddenException, HttpException, NotFoundException } from '@nestjs/common';
import { ConcurrencyError, DomainError, refusal, UnstorableError, type RefusalKind } from '#libs/kernel';
import { runInContext } from '../edge/request-context.js';
import { describeProblems } from './descriptions.js';
import { problemOf } from './problem-of.js';
import { problemBody, problemText } from './problem.js';
import { isUnavailable } from './unavailability.js';

const error = (message: string, more: object = {}): Error => Object.assign(new Error(message), more);

describe('A problem', () => {
  it.each<[RefusalKind, number]>([
    ['malformed', 400],
    ['unauthenticated', 401],
    ['forbidden', 403],
    ['not_found', 404],
    ['conflict', 409],
    ['gone', 410],
    ['precondition', 412],
    ['too_large', 413],
    ['invalid', 422],
    ['too_many', 429],
    ['unavailable', 503],
    ['timeout', 504],
  ])('of a refusal that is %s has status %i', (kind, status) => {
    expect(problemOf(new DomainError(refusal(kind, 'a/b', 'Do this.')))).toMatchObject({ status, code: 'a/b', detail: 'Do this.' });
  });

  it('of two writers at once, or of what no store may hold, is the caller’s to mend', () => {
    expect(problemOf(new ConcurrencyError('a-1', 1n, 2n))).toMatchObject({ status: 409, code: 'stream/busy' });
    expect(problemOf(new UnstorableError('secret value'))).toMatchObject({ status: 422, code: 'request/invalid' });
    expect(problemOf(new UnstorableError('secret value')).detail).not.toContain('secret');
  });

  it('of what the framework throws keeps its status and takes none of its words', () => {
    for (const thrown of [
      new NotFoundException('secret'),
      new ForbiddenException('secret'),
      new HttpException('secret', 418),
      new HttpException('secret', 502),
    ]) {
      const { status, detail } = problemOf(thrown);
      expect(status).toBe(thrown.getStatus() === 502 ? 500 : thrown.getStatus());
      expect(detail).not.toContain('secret');
    }
  });

  it.each([undefined, null, 'text', 7, {}, new Error('x'), error('x', { statusCode: 999 }), error('x', { statusCode: 'y', code: 42 })])(
    'of %p is ours',
    (thrown) => expect(problemOf(thrown)).toMatchObject({ status: 500, code: 'server/internal' }),
  );

  it('puts the facts beside its own members and never over them, and writes bigints as decimal strings', () => {
    const problem = problemOf(
      new DomainError(
        refusal('gone', 'confirmation/expired', 'Propose again.', {
          status: 1,
          code: 2,
          type: 3,
          detail: 4,
          fence: 5n,
          deep: [{ at: 6n }],
        }),
      ),
    );
    expect(JSON.parse(problemText(problem))).toEqual({
      type: 'urn:workbench:problem:confirmation/expired',
      title: 'Confirmation: expired',
      status: 410,
      code: 'confirmation/expired',
      detail: 'Propose again.',
      fence: '5',
      deep: [{ at: '6' }],
    });
  });

  it('names the request and what is known to be audited of it', () => {
    const problem = problemOf(new DomainError(refusal('conflict', 'a/b', 'No.')));
    const body = runInContext({ requestId: 'r', auditId: 'a' }, () => problemBody(problem));
    expect(body).toMatchObject({ requestId: 'r', auditId: 'a' });
  });

  it('is described once', () => {
    describeProblems('gone', { 'test/gone': 'It is gone.' });
    describeProblems('gone', { 'test/gone': 'It is gone.' });
    expect(() => describeProblems('conflict', { 'test/gone': 'It is gone.' })).toThrow('test/gone');
  });
});

describe('A dependency', () => {
  it.each([
    error('connect ECONNREFUSED 127.0.0.1:5432', { code: 'ECONNREFUSED' }),
    error('read ECONNRESET', { code: 'ECONNRESET' }),
    error('connect ENOENT /run/.s.PGSQL.5432', { code: 'ENOENT', syscall: 'connect' }),
    error('the database system is starting up', { code: '57P03' }),
    error('sorry, too many clients already', { code: '53300' }),
    error('connection failure', { code: '08006' }),
    error('Connection terminated unexpectedly'),
    error('timeout exceeded when trying to connect'),
    error('Cannot use a pool after calling end on the pool'),
    error('Client has encountered a connection error and is not queryable'),
    error('Query failed', { driverError: error('terminating connection', { code: '57P01' }) }),
    new AggregateError([error('::1', { code: 'ECONNREFUSED' })]),
    new Error('outer', { cause: new Error('middle', { cause: error('x', { code: 'EPIPE' }) }) }),
  ])('does not answer when it says "%s"', (thrown) => {
    expect(isUnavailable(thrown)).toBe(true);
    expect(problemOf(thrown)).toMatchObject({ status: 503, code: 'server/unavailable' });
    expect(problemOf(thrown).detail).not.toMatch(/5432|ECONN|pool/);
  });
  it.each([
    error('syntax error', { code: '42601' }),
    error('duplicate key', { code: '23505' }),
    error('invalid input syntax', { code: '22P02' }),
    error('no such file', { code: 'ENOENT', syscall: 'open' }),
  ])('does answer when it says "%s"', (thrown) => expect(isUnavailable(thrown)).toBe(false));
});
