import { settingsFrom } from './settings.js';

describe('The settings', () => {
  it('need nothing: the embedded database, both roles, the demo tenant', () => {
    expect(settingsFrom({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      roles: { api: true, worker: true },
      database: undefined,
      eventStoreUrl: undefined,
      bootstrap: 'demo',
      leaseMs: 900_000,
    });
  });
  it('leave the demo tenant out where a database is given, unless it is asked for', () => {
    const DATABASE_URL = 'postgres://admin:secret@db/workbench';
    expect(settingsFrom({ DATABASE_URL }).bootstrap).toBe('none');
    expect(settingsFrom({ DATABASE_URL, WORKBENCH_BOOTSTRAP: 'demo' }).bootstrap).toBe('demo');
  });
  it.each([
    ['PORT', '80a'],
    ['PORT', '70000'],
    ['WORKBENCH_ROLES', 'api,wroker'],
    ['LOG_LEVEL', 'loud'],
    ['WORKBENCH_REQUESTS_PER_MINUTE', '-1'],
    ['WORKBENCH_BOOTSTRAP', 'yes'],
    ['WORKBENCH_LEASE_SECONDS', '0'],
    ['WORKBENCH_DECIDE_SECONDS', '-1'],
    ['WORKBENCH_PERMISSION_SECONDS', '0'],
    ['PERMISSIONS_SECRET_READS', 'no'],
    ['STRICT_GIT', 'maybe'],
    ['DATABASE_URL', 'mysql://x'],
    ['DATABASE_URL', ''],
    ['EVENTSTORE_URL', 'http://db:2113'],
  ])('refuse %s=%s naming the variable', (name, value) => {
    expect(() => settingsFrom({ [name]: value })).toThrow(new RegExp(name));
  });
  it('never print a password', () => {
    expect(() => settingsFrom({ DATABASE_URL: 'postgres://admin:secret@host:port/db' })).toThrow(/^(?!.*cret).*$/s);
  });
});
