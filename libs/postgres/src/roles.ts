import type { ClientBase } from 'pg';
import type { Connection, DatabaseUrls } from './connection.js';
import { roles } from './role-names.js';

type Sql = Pick<ClientBase, 'query'>;

/**
 * Creates what is missing and cannot live in a migration, since roles belong to the whole server: the three roles, the logins'
 * memberships and passwords, and the owner's right to create schemas. Several servers and databases may do so at once.
 */
export async function setUpRoles(sql: Sql, urls: DatabaseUrls): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await sql.query('begin');
      await createRoles(sql, urls);
      await sql.query('commit');
      return;
    } catch (error) {
      await sql.query('rollback');
      const { code, message } = error as { code?: string; message: string };
      if (code === '42501')
        throw new Error(
          `DATABASE_URL logs in as someone who may not create the roles that keep tenants apart (${message}). ` +
            `Give that login CREATEROLE and CREATE on the database, or let an administrator start once.`,
          { cause: error },
        );
      if (attempt === ATTEMPTS || !isRace(code, message)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 50 * attempt));
    }
  }
}

/** Refuses a login that row-level security does not bind. `variable` is what to change. */
export async function assertUnprivileged(sql: Sql, role: 'projector' | 'app', variable: string): Promise<void> {
  const { rows } = await sql.query<{ login: string; super: string | null; bypass: string | null; reach: string[]; member: boolean }>(
    `select session_user as login,
            (array_agg(rolname order by rolname <> session_user) filter (where rolsuper))[1] as super,
            (array_agg(rolname order by rolname <> session_user) filter (where rolbypassrls))[1] as bypass,
            coalesce(array_agg(rolname::text) filter (where rolname in ('${roles.owner}', '${roles.projector}')), '{}') as reach,
            pg_has_role(session_user, $1, 'USAGE') as member
       from pg_roles where pg_has_role(session_user, oid, 'MEMBER')`,
    [roles[role]],
  );
  const { login, super: superuser, bypass, reach, member } = rows[0]!;
  const refuse = (what: string, remedy: string): never => {
    throw new Error(`${variable} logs in as ${login}, ${what}, so tenants would not be kept apart. ${remedy}`);
  };
  const other = `Name a login that is only a member of ${roles[role]}.`;
  if (superuser) refuse(superuser === login ? 'a superuser' : `who can become the superuser ${superuser}`, other);
  if (bypass) refuse(bypass === login ? 'who has BYPASSRLS' : `who can become ${bypass}, which has BYPASSRLS`, other);
  const excess = reach.find((name) => name !== roles[role]);
  if (excess) refuse(`who can become ${excess}`, other);
  if (!member) refuse(`who is not a member of ${roles[role]}`, `Run: grant ${roles[role]} to ${login}.`);
}

const ATTEMPTS = 20;

/** Two transactions that create the same role or touch the same catalogue row: one of them has to look again. */
const isRace = (code: string | undefined, message: string): boolean =>
  code === '42710' ||
  code === '23505' ||
  code === '40001' ||
  code === '40P01' ||
  message.includes('concurrently updated') ||
  message.includes('concurrently deleted');

const createRoles = async (sql: Sql, urls: DatabaseUrls): Promise<void> => {
  const { rows: existing } = await sql.query<{ rolname: string; rolsuper: boolean; rolbypassrls: boolean }>(
    'select rolname, rolsuper, rolbypassrls from pg_roles where rolname = any($1)',
    [Object.values(roles)],
  );
  for (const role of Object.values(roles)) {
    const found = existing.find(({ rolname }) => rolname === role);
    if (!found)
      await sql.query(`create role ${role} ${role === roles.owner ? 'nologin' : 'login'} nosuperuser nobypassrls nocreatedb nocreaterole`);
    else if (found.rolsuper || found.rolbypassrls)
      throw new Error(`The database role ${role} is a superuser or has BYPASSRLS. Run: alter role ${role} nosuperuser nobypassrls.`);
  }
  await admit(sql, roles.projector, urls.projector);
  await admit(sql, roles.app, urls.app);
  const { rows } = await sql.query<{ acts: boolean; may: boolean; database: string; login: string }>(
    // Since 16 to be a member and to act as the role are two things.
    `select pg_has_role('${roles.owner}', case when current_setting('server_version_num')::int < 160000 then 'MEMBER' else 'SET' end) as acts,
            has_database_privilege('${roles.owner}', current_database(), 'CREATE') as may,
            quote_ident(current_database()) as database, quote_ident(current_user) as login`,
  );
  const { acts, may, database, login } = rows[0]!;
  if (!may) await sql.query(`grant connect, create on database ${database} to ${roles.owner}`);
  // To act as the owner, who itself cannot log in.
  if (!acts) await sql.query(`grant ${roles.owner} to ${login}`);
};

const admit = async (sql: Sql, role: string, { user, password }: Connection): Promise<void> => {
  if (user && user !== role) {
    const { rows } = await sql.query<{ member: boolean; login: string }>(
      `select pg_has_role(rolname, $2, 'USAGE') as member, quote_ident(rolname) as login from pg_roles where rolname = $1`,
      [user, role],
    );
    if (!rows[0]) throw new Error(`There is no database login ${user}. Create it, or name another for ${role}.`);
    if (!rows[0].member) await sql.query(`grant ${role} to ${rows[0].login}`);
  } else if (typeof password === 'string') {
    // No parameters in utility statements; the server quotes it.
    const { rows } = await sql.query<{ text: string }>(`select format('alter role ${role} password %L', $1::text) as text`, [password]);
    await sql.query(rows[0]!.text);
  }
};
