import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The projector numbers the feed by the feed's own head; the sequence follows, for servers of before that still draw from it. */
export class FeedPlaces0000000000013 implements MigrationInterface {
  async up(sql: QueryRunner): Promise<void> {
    await sql.query('grant update on sequence workbench.feed_id_seq to workbench_projector');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only. Restore a backup to go back.'));
  }
}
