import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '#libs/kernel';
import { envelopeText, seal } from './dsse.js';
import { statementOf } from './receipt.js';
import { ARTIFACT, shippedTask } from './testing/shipped-task.js';
import { verifyReceipt } from './verify-receipt.js';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const pem = (key: KeyObject) => key.export({ type: key.type === 'public' ? 'spki' : 'pkcs8', format: 'pem' });

describe('verify-receipt', () => {
  let folder: string;
  const lines: string[] = [];
  const run = (...argv: string[]) => {
    lines.length = 0;
    return verifyReceipt(argv, folder, (line) => lines.push(line));
  };
  const file = async (change: (text: string) => string = (text) => text) => {
    const statement = statementOf('receipt-1', await shippedTask());
    writeFileSync(join(folder, 'receipt.dsse.json'), change(envelopeText(seal(statement, privateKey))));
  };
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'receipt-'));
    mkdirSync(join(folder, 'artifacts'));
    writeFileSync(join(folder, 'artifacts', sha256(ARTIFACT)), ARTIFACT);
    writeFileSync(join(folder, 'key.pem'), pem(publicKey));
    await file();
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('says the chain, what it does not prove, and 0 for a receipt that holds', () => {
    expect(run('receipt.dsse.json', '--key', 'key.pem')).toBe(0);
    expect(lines.join('\n')).toMatch(
      /proposed.*eve for mia[^]*approved.*ann[^]*leased.*ida, fence 1[^]*verified.*vera[^]*shipped[^]*does not prove[^]*all as verified[^]*VALID/,
    );
  });
  it('refuses a changed receipt with 1', async () => {
    await file((text) => text.replace('"payload":"', '"payload":"A'));
    expect(run('receipt.dsse.json', '--key', 'key.pem')).toBe(1);
    expect(lines).toEqual([expect.stringMatching(/^REFUSED \((signature\/invalid|envelope\/malformed)\)/)]);
  });
  it('refuses a changed artifact beside the file with 1', () => {
    writeFileSync(join(folder, 'artifacts', sha256(ARTIFACT)), 'other');
    expect(run('receipt.dsse.json', '--key', 'key.pem')).toBe(1);
    expect(lines[0]).toMatch(/^REFUSED \(artifact\/changed\)/);
  });
  it('refuses the key of another with 1', () => {
    writeFileSync(join(folder, 'other.pem'), pem(generateKeyPairSync('ed25519').publicKey));
    expect(run('receipt.dsse.json', '--key', 'other.pem')).toBe(1);
    expect(lines[0]).toMatch(/^REFUSED \(key\/other\)/);
  });
  it('says so where artifacts were not checked', () => {
    rmSync(join(folder, 'artifacts'), { recursive: true });
    expect(run('receipt.dsse.json', '--key', 'key.pem')).toBe(0);
    expect(lines.join('\n')).toContain('Artifacts: not checked');
  });
  it.each([
    ['no key', ['receipt.dsse.json']],
    ['no file', ['--key', 'key.pem']],
    ['an unknown option', ['receipt.dsse.json', '--key', 'key.pem', '--trust']],
    ['a file that is not there', ['other.json', '--key', 'key.pem']],
    ['a folder that is not there', ['receipt.dsse.json', '--key', 'key.pem', '--artifacts', 'nowhere']],
    ['a private key', ['receipt.dsse.json', '--key', 'private.pem']],
  ])('cannot judge with %s, and says 2', (_, argv) => {
    writeFileSync(join(folder, 'private.pem'), pem(privateKey));
    expect(run(...argv)).toBe(2);
    expect(lines).toHaveLength(1);
  });
  it('lets no name in a receipt steer the terminal', async () => {
    const task = await shippedTask();
    const statement = statementOf('receipt-1', task);
    const renamed = structuredClone(statement) as { predicate: { tenant: { name: string } } };
    renamed.predicate.tenant.name = '\u001b[2Jfine\u202e';
    writeFileSync(join(folder, 'receipt.dsse.json'), envelopeText(seal(renamed, privateKey)));
    expect(run('receipt.dsse.json', '--key', 'key.pem')).toBe(0);
    expect(lines.join('\n')).toContain('\\u001b[2Jfine\\u202e');
  });
});
