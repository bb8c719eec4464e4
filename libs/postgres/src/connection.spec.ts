import { createHmac } from 'node:crypto';
import { clientConfig, connectionsFrom, databaseUrls } from './connection.js';

const hmac = (key: string, text: string) => createHmac('sha256', key).update(text).digest('hex');

describe('Database logins', () => {
  it('are derived from that of an administrator, the same on every server', () => {
    const { owner, projector, app } = databaseUrls({ DATABASE_URL: 'postgres://admin:p%40ss%2Fword@db.example:6543/wb?sslmode=disable' });
    expect(owner).toMatchObject({ user: 'admin', password: 'p@ss/word', host: 'db.example', port: 6543, database: 'wb', ssl: false });
    expect(projector).toEqual({ ...owner, user: 'workbench_projector', password: hmac('p@ss/word', 'workbench_projector') });
    expect(app).toEqual({ ...owner, user: 'workbench_app', password: hmac('p@ss/word', 'workbench_app') });
  });

  it('are taken as they are where they are given', () => {
    const urls = databaseUrls({
      DATABASE_URL: 'postgres://admin:pw@db/wb',
      DATABASE_APP_URL: 'postgres://reader:other@pooler/wb',
      DATABASE_PROJECTOR_URL: 'postgres://writer:third@db/wb',
    });
    expect(urls.app).toMatchObject({ user: 'reader', password: 'other', host: 'pooler' });
    expect(urls.projector).toMatchObject({ user: 'writer', password: 'third' });
  });

  it('get no password from an administrator who has none: one derived from nothing could be guessed', () => {
    expect(connectionsFrom({ host: '/run/postgresql', user: 'postgres' }).app.password).toBeUndefined();
  });

  it.each([
    [{ DATABASE_URL: '' }, /^DATABASE_URL is empty/],
    [{ DATABASE_URL: 'mysql://root:hunter2@db/wb' }, /^DATABASE_URL is no PostgreSQL URL/],
    [{ DATABASE_URL: 'postgres://admin:hunter2@[db/wb' }, /^DATABASE_URL cannot be read/],
    [{ DATABASE_URL: 'postgres://db/wb', DATABASE_APP_URL: 'postgres://app:hunter2@[db/wb' }, /^DATABASE_APP_URL cannot be read/],
  ])('name the variable that is wrong, and never a password: %#', (environment, message) => {
    const read = () => databaseUrls(environment);
    expect(read).toThrow(message);
    expect(read).not.toThrow(/hunter2/);
  });

  it('keep the options of a URL beside ours', () => {
    const { owner } = databaseUrls({ DATABASE_URL: 'postgres://db/wb?options=-c%20work_mem%3D8MB' });
    expect(clientConfig(owner, { application: 'test', searchPath: 'es' }).options).toBe(
      '-c work_mem=8MB -c timezone=UTC -c datestyle=ISO -c search_path=es',
    );
  });
});
