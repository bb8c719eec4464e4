import { Injectable } from '@nestjs/common';
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { Database, secret } from '#libs/postgres';
import { keyIdOf } from './dsse.js';

export type KeyPair = Readonly<{ privateKey: KeyObject; publicKey: KeyObject; keyId: string }>;

/** The Ed25519 key that signs receipts: made once, kept in the database, the same on every server. */
@Injectable()
export class ReceiptKey {
  private pair: Promise<KeyPair> | undefined;

  constructor(private readonly database: Database) {}

  get(): Promise<KeyPair> {
    this.pair ??= this.load().catch((error: unknown) => {
      this.pair = undefined;
      throw error;
    });
    return this.pair;
  }

  private async load(): Promise<KeyPair> {
    const der = await secret(this.database, 'receipt-signing-key', () =>
      generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'der' }),
    );
    const privateKey = createPrivateKey({ key: der, type: 'pkcs8', format: 'der' });
    const publicKey = createPublicKey(privateKey);
    return { privateKey, publicKey, keyId: keyIdOf(publicKey) };
  }
}
