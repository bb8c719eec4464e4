import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readConnectionString, seedOf } from './connection-string.js';

describe('A connection string', () => {
  let directory: string;
  let file: string;
  beforeAll(() => {
    directory = mkdtempSync(path.join(os.tmpdir(), 'workbench-connection-'));
    file = path.join(directory, 'ca.crt');
    writeFileSync(file, '');
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  it.each<[string, object]>([
    ['esdb://localhost', { hosts: ['localhost'], secure: true, user: undefined, discovers: false }],
    [' esdb://127.0.0.1:2113/?tls=false ', { url: 'esdb://127.0.0.1:2113/?tls=false', hosts: ['127.0.0.1:2113'], secure: false }],
    ['esdb://admin:p%3A%40ss@db.example.test:2113', { user: 'admin', secure: true }],
    ['esdb://a:2113,b:2113,c?tls=false&node-preference=Leader', { hosts: ['a:2113', 'b:2113', 'c'], discovers: true }],
    ['esdb+discover://cluster.example.test?keepAliveInterval=-1&gossip_timeout=5', { discovers: true }],
  ])('may be %s', (text, target) => expect(readConnectionString(text)).toMatchObject(target));

  it('may name the authority behind the certificate', () => {
    expect(readConnectionString(`esdb://db?tlsCAFile=${encodeURIComponent(file)}`).secure).toBe(true);
    expect(() => readConnectionString(`esdb://db?tlsCAFile=${encodeURIComponent(`${file}.gone`)}`)).toThrow(/file that is not there/);
  });

  it.each([
    ['', /write esdb:\/\/host:2113/],
    ['localhost:2113', /write esdb:\/\/host:2113/],
    ['http://localhost:2113', /write esdb:\/\/host:2113/],
    ['kurrentdb://localhost', /write esdb:\/\/ instead of kurrentdb:\/\//],
    ['kurrentdb+discover://localhost', /write esdb\+discover:\/\/ instead/],
    ['esdb://', /"" is no host/],
    ['esdb://[::1]:2113', /no host/],
    ['esdb://a:port', /no host/],
    ['esdb://a b', /no host/],
    ['esdb+discover://a,b', /takes one DNS name/],
    ['esdb://admin:se:cret@db', /percent-encoded/],
    ['esdb://admin:se@cret@db', /percent-encoded/],
    ['esdb://admin@db', /user:password/],
    ['esdb://admin:%zz@db', /%25/],
    ['esdb://ad%3Amin:secret@db', /no user name with :/],
    ['esdb://admin:secret@db?tls=false', /sends no user and password/],
    ['esdb://db?tls=no', /tls is true or false/],
    ['esdb://db?tls=false&tlsCAFile=/', /no certificate is used/],
    ['esdb://db?tlsVerifyCert=false', /Give tlsCAFile/],
    ['esdb://db?throwOnAppendFailure=false', /conflicts would pass/],
    ['esdb://db?nodePreference=follower', /can only be leader/],
    ['esdb://db?keepAliveInterval=soon', /whole number/],
    ['esdb://db?userCertFile=/', /belong together/],
    ['esdb://db?tsl=false', /no option "tsl"\. There are tls, /],
  ])('is not %s, and says what to write', (text, message) => {
    expect(() => readConnectionString(text)).toThrow(message);
    expect(() => readConnectionString(text, 'ELSEWHERE')).toThrow(/^ELSEWHERE: /);
  });

  it('of a cluster leads to the first of its nodes as well', () => {
    const seed = (text: string) => seedOf(readConnectionString(text));
    expect(seed('esdb://a:b@c:1,d:2?maxDiscoverAttempts=1')).toMatchObject({
      url: 'esdb://a:b@c:1?maxDiscoverAttempts=1',
      discovers: false,
    });
    expect(seed('esdb+discover://c?tls=false').url).toBe('esdb://c?tls=false');
  });

  it('never gives a password away', () => {
    for (const text of ['esdb://admin:s3cret@db?tls=false', 'esdb://admin:s3cret:@db', 'esdb://admin:s3cret@d b', 'x://admin:s3cret@db'])
      expect(() => readConnectionString(text)).toThrow(/^(?!.*s3cret).*$/s);
  });
});
