import { sha256 } from '#libs/kernel';
import type { KeyObject } from 'node:crypto';
import { ReceiptRefused } from './canonical-reader.js';
import { faultsOf } from './consistency.js';
import { open } from './dsse.js';
import { nameOf } from './receipt.js';
import { readStatement, type Statement } from './statement.js';

/** The bytes of an artifact by its SHA-256; undefined where they are not at hand. */
export type Artifacts = (sha256: string) => Uint8Array | undefined;

/**
 * The statement of a receipt file, if all of it holds: the signature under `publicKey` and no other, one canonical text, a
 * known shape, a chain whose steps name the same digests, and, where `artifacts` are given, every artifact's bytes.
 * Throws ReceiptRefused with the first reason. Needs no network and no store.
 */
export const verify = (file: Uint8Array, publicKey: KeyObject, artifacts?: Artifacts): Statement => {
  const signed = open(file, publicKey);
  const statement = readStatement(signed, '');
  const [fault] = faultsOf(statement);
  if (fault !== undefined) throw new ReceiptRefused('chain/broken', fault);
  if (artifacts) assertArtifacts(statement, artifacts);
  return statement;
};

const assertArtifacts = (statement: Statement, artifacts: Artifacts): void => {
  for (const artifact of statement.predicate.chain.report.content.artifacts) {
    const bytes = artifacts(artifact.sha256);
    if (!bytes) throw new ReceiptRefused('artifact/missing', `The artifact ${nameOf(artifact)} (${artifact.sha256}) is not there.`);
    if (bytes.length !== artifact.size || sha256(bytes) !== artifact.sha256)
      throw new ReceiptRefused('artifact/changed', `The artifact ${nameOf(artifact)} is not the one that was verified.`);
  }
};
