import { Injectable } from '@nestjs/common';
import { DomainError, refusal, sha256, type Principal } from '#libs/kernel';
import { Database, tenantScope } from '#libs/postgres';

export const MAX_ARTIFACT_BYTES = 5 * 1024 * 1024;

/** The bytes behind the digests that events name, by tenant. */
@Injectable()
export class Artifacts {
  constructor(private readonly database: Database) {}

  /** True where they were not stored before. 422 `artifact/digest-mismatch` unless they have this digest. */
  async put({ tenantId, id }: Principal, digest: string, bytes: Buffer): Promise<boolean> {
    const actual = sha256(bytes);
    if (actual !== digest)
      throw new DomainError(
        refusal(
          'invalid',
          'artifact/digest-mismatch',
          `These ${bytes.length} bytes have the SHA-256 ${actual}. Send what the path names.`,
          {
            sha256: actual,
          },
        ),
      );
    const { rowCount } = await this.database.projector.query({
      name: 'put artifact',
      text: `insert into workbench.artifacts (tenant_id, sha256, size, bytes, stored_by) values ($1, $2, $3, $4, $5) on conflict do nothing`,
      values: [tenantId, digest, bytes.length, bytes, id],
    });
    return rowCount === 1;
  }

  get({ tenantId }: Principal, digest: string): Promise<Buffer | undefined> {
    return tenantScope(this.database, tenantId, async (manager) => {
      const [row] = await manager.query<{ bytes: Buffer }[]>('select bytes from workbench.artifacts where sha256 = $1', [digest]);
      return row?.bytes;
    });
  }

  /** Which of these are stored. */
  stored({ tenantId }: Principal, digests: readonly string[]): Promise<readonly string[]> {
    return tenantScope(this.database, tenantId, async (manager) => {
      const rows = await manager.query<{ sha256: string }[]>('select sha256 from workbench.artifacts where sha256 = any($1)', [
        [...new Set(digests)],
      ]);
      return rows.map((row) => row.sha256);
    });
  }
}
