import { roles, type Database } from '#libs/postgres';

type Relation = Readonly<{ name: string; kind: string; protected: boolean; invoker: boolean; tenant: boolean; writable: boolean }>;

/**
 * Every way in which the app role could reach rows of a tenant that it does not speak for, as sentences, over all that the
 * catalogue lists: none expected. Whatever a later migration adds falls under it. `filled` names the relations that had rows, since an
 * empty one proves little.
 */
export async function findTenantLeaks(database: Database): Promise<{ leaks: string[]; filled: string[] }> {
  const leaks: string[] = [];
  const filled: string[] = [];
  const { rows: relations } = await database.projector.query<Relation>(RELATIONS);
  for (const relation of relations) {
    const { name } = relation;
    if (relation.kind === 'table' && !relation.protected) leaks.push(`${name} has no forced row-level security.`);
    if (relation.kind === 'view' && !relation.invoker) leaks.push(`${name} is a view with its owner's rights, not security_invoker.`);
    if (relation.writable) leaks.push(`${name} can be written by the app.`);
    if ((await countAsApp(database, undefined, name)) > 0) leaks.push(`${name} shows rows though no tenant is set.`);
    const tenants = await tenantsOf(database, relation);
    if (tenants === undefined) continue;
    filled.push(name);
    if (!relation.tenant) continue;
    for (const tenant of [...tenants, NOBODY])
      if ((await countAsApp(database, tenant, name, `tenant_id is distinct from '${tenant}'`)) > 0)
        leaks.push(`${name} shows tenant ${tenant} rows of another.`);
  }
  const { rows: functions } = await database.projector.query<{ name: string }>(FUNCTIONS);
  for (const { name } of functions) leaks.push(`${name} runs with its owner's rights, and the app may call it.`);
  return { leaks, filled };
}

const NOBODY = '00000000-0000-4000-8000-000000000000';
const OURS = `not in ('pg_catalog', 'information_schema') and nspname not like 'pg\\_%'`;

const RELATIONS = `
  select format('%I.%I', nspname, relname) as name,
         case relkind when 'r' then 'table' when 'p' then 'table' when 'v' then 'view' else 'other' end as kind,
         relrowsecurity and relforcerowsecurity as protected,
         coalesce(reloptions && array['security_invoker=true', 'security_invoker=on', 'security_invoker=1'], false) as invoker,
         exists (select 1 from pg_attribute where attrelid = c.oid and attname = 'tenant_id' and not attisdropped) as tenant,
         has_table_privilege('${roles.app}', c.oid, 'insert, update, delete, truncate') as writable
    from pg_class c join pg_namespace n on n.oid = relnamespace
   where relkind in ('r', 'p', 'v', 'm', 'f') and nspname ${OURS}
   order by 1`;

const FUNCTIONS = `
  select p.oid::regprocedure::text as name
    from pg_proc p join pg_namespace n on n.oid = pronamespace
   where prosecdef and nspname ${OURS} and has_function_privilege('${roles.app}', p.oid, 'execute')
   order by 1`;

/** What may not be read at all shows nothing. */
const countAsApp = async (database: Database, tenant: string | undefined, relation: string, where = 'true'): Promise<number> => {
  const client = await database.app.connect();
  try {
    await client.query('begin read only');
    if (tenant) await client.query(`select set_config('workbench.tenant_id', $1, true)`, [tenant]);
    const { rows } = await client.query<{ count: string }>(`select count(*) from ${relation} where ${where}`);
    return Number(rows[0]!.count);
  } catch (error) {
    if ((error as { code?: string }).code === '42501') return 0;
    throw error;
  } finally {
    await client.query('rollback');
    client.release();
  }
};

/** Whose rows there are; undefined where there are none, or none that even the projector may read. */
const tenantsOf = async (database: Database, { name, tenant }: Relation): Promise<string[] | undefined> => {
  try {
    const { rows } = await database.projector.query<{ tenant: string }>(
      tenant ? `select distinct tenant_id as tenant from ${name} where tenant_id is not null` : `select '' as tenant from ${name} limit 1`,
    );
    return rows.length > 0 ? rows.map((row) => row.tenant) : undefined;
  } catch (error) {
    if ((error as { code?: string }).code === '42501') return undefined;
    throw error;
  }
};
