import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One index for claims and for lists of tasks. With two, whoever looked for the oldest claimable one might have walked all tasks of the
 * workspace from the oldest on: to the planner both looked alike while most tasks waited in one queue.
 */
export class TasksInOrder0000000000015 implements MigrationInterface {
  async up(sql: QueryRunner): Promise<void> {
    await sql.query(`
      create index tasks_in_order on read_models.tasks (workspace_id, queue, status, queued_at, task_id);
      drop index read_models.tasks_claimable;
      drop index read_models.tasks_oldest_first;
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only. Restore a backup to go back.'));
  }
}
