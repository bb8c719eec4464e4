import { type Entry } from '../rules/rule.js';

/** Clients of databases: every statement is asked about, and what takes data away is told apart. */
export const databases: readonly Entry[] = [
  {
    programs: 'psql pgcli cockroach usql vsql edgedb gel questdb-cli',
    rule: {
      handler: 'sql',
      does: 'db.client',
      harmless: '-l --list',
      options: {
        ok: '-l --list -h: --host: -p: --port: -U: --username: -w -W -d: --dbname: -v: --set: -A -t -x -H -q -e -E -b -a -n -s -S -1 -X --no-psqlrc --csv -F: -R: -P: -z -0 -V --version -? --host: --tuples-only --expanded --url: --insecure --format: --database:',
        'db.client': '-c: --command: -e: --execute:',
        'exec.script': '-f: --file:',
        write: '-o: --output: -L: --log-file:',
      },
    },
    examples: [
      ['safe', 'psql --version'],
      ['safe', 'psql -l -h localhost'],
      ['dangerous', "psql -c 'SELECT 1'"],
      ['dangerous', 'psql -c "SELECT \'DROP TABLE x\'"'],
      ['destructive', 'psql -c "drop table users"'],
      ['destructive', "psql <<< 'truncate table users'"],
      ['destructive', "echo 'DROP TABLE users;' | psql"],
      ['destructive', "psql -c '\\! rm -rf /'"],
    ],
  },
  {
    programs:
      'mysql mariadb mycli mysqlsh clickhouse clickhouse-client clickhouse-local trino presto beeline impala-shell hive spark-sql snowsql snow bteq sqlplus isql tsql db2 vertica cqlsh ycqlsh ysqlsh litecli sqlcmd mssql-cli bcp osql athenacli rqlite dolt litestream influx influxql arangosh cypher-shell neo4j-client surreal ksql',
    rule: {
      handler: 'sql',
      does: 'db.client',
      harmless: '-? -V --version',
      options: {
        ok: '-h: --host: -P: --port: -u: --user: -D: --database: -N -B -s -t -v -V --version -? --help -E -H -X -A -G -b -n -q -r -S: --socket: --protocol: --default-character-set: --table --batch --silent --html --xml --skip-column-names --no-auto-rehash --comments -w --wait -U: -d: -C',
        'db.client': '-e: --execute: -Q: -q: --query: --eval:',
        'exec.script': '--init-command: --init-file: -f: -i:',
        write: '--tee: -o: --output:',
      },
    },
    examples: [
      ['safe', 'mysql --version'],
      ['dangerous', 'mysql -e "UPDATE a SET b=1 WHERE id=1"'],
      ['destructive', "mysql -e 'TRUNCATE users'"],
      ['destructive', 'mysql -e "DELETE FROM users"'],
    ],
  },
  {
    programs: 'sqlite3 sqlite sqlite-utils duckdb sqldiff sqlcipher spatialite',
    rule: {
      handler: 'sql',
      does: 'db.client',
      singleDash: true,
      options: {
        ok: '-readonly -safe -version -help -header -noheader -csv -json -line -column -table -box -html -markdown -list -quote -tabs -ascii -separator: -nullvalue: -newline: -batch -bail -echo -interactive -stats -lookaside: -memtrace -mmap: -nofollow -pagecache: -pcachetrace -heap: -vfs: -A -zip -append -deserialize -maxsize: -jsonlines -no-stdin -unsigned -unredacted',
        'db.client': '-c: -s: -cmd:',
        'exec.script': '-init: -f:',
      },
    },
    examples: [
      ['safe', 'sqlite3 -version'],
      ['dangerous', "sqlite3 a.db 'select 1'"],
      ['dangerous', "sqlite3 a.db '.shell id'"],
      ['destructive', "sqlite3 a.db 'DROP TABLE x'"],
    ],
  },
  {
    programs:
      'mongosh mongo redis-cli valkey-cli keydb-cli memcached-tool etcdctl zookeeper-shell couchbase-cli cbq aerospike aql nats rabbitmqctl rabbitmqadmin kafka-topics kafka-topics.sh kafka-configs kafka-consumer-groups kcat pulsar-admin es elasticdump',
    rule: {
      handler: 'store',
      does: 'db.client',
      options: {
        ok: '-h: -p: -u: -n: --host: --port: --username: --quiet --norc --version -v --no-auth-warning --tls --raw --csv --json -c -x',
        'db.client': '--eval: --command: -e:',
        'exec.script': '-f: --file:',
      },
    },
    examples: [
      ['safe', 'redis-cli --version'],
      ['dangerous', 'redis-cli GET x'],
      ['destructive', 'redis-cli FLUSHALL'],
      ['destructive', 'kafka-topics --delete --topic x'],
      ['destructive', 'rabbitmqctl reset'],
      ['destructive', "mongosh --eval 'db.dropDatabase()'"],
      ['destructive', "mongosh --eval 'db.users.deleteMany({})'"],
    ],
  },
  {
    programs: 'dropdb dropuser',
    rule: { does: 'destroy.db', bulk: true, why: 'drops it' },
    examples: [
      ['destructive', 'dropdb prod'],
      ['safe', 'dropdb --help'],
    ],
  },
  {
    programs: 'mysqladmin mariadb-admin',
    rule: {
      does: 'db.client',
      commands: {
        'status|ping|version|processlist|variables|extended-status': 'db.client',
        drop: { does: 'destroy.db', bulk: true, operands: 'data' },
        'shutdown|kill|flush-hosts|flush-logs|flush-privileges|flush-tables|create|password|reload|refresh|start-slave|stop-slave|flush-status|flush-threads|debug':
          { does: 'db.client', operands: 'data' },
      },
      options: { ok: '-u: -h: -p? -P: -S: --user: --host: --password? --port: -f --force -s -v' },
    },
    examples: [
      ['dangerous', 'mysqladmin status'],
      ['destructive', 'mysqladmin drop prod'],
    ],
  },
  {
    programs:
      'pg_dump pg_dumpall pg_restore pg_basebackup pg_upgrade pg_resetwal pg_rewind pg_ctl pg_ctlcluster pg_createcluster initdb createdb createuser vacuumdb reindexdb clusterdb mysqldump mariadb-dump mysqlimport mysqlcheck mongodump mongorestore mongoexport mongoimport mongostat mongotop redis-server redis-benchmark mysqld mongod postgres pgbench alembic flyway liquibase dbmate goose knex typeorm sequelize prisma drizzle-kit sqlx diesel migrate ecto',
    rule: {
      does: 'db.client',
      why: 'works on a database',
      constrain: 'exact',
      options: { ok: '-V --version -? --help', 'destroy.db': '--clean' },
    },
    examples: [
      ['dangerous', 'pg_dump prod'],
      ['destructive', 'pg_restore --clean a.dump'],
      ['safe', 'pg_dump --version'],
    ],
  },
  {
    programs: 'pg_dropcluster',
    rule: { does: 'destroy.db', bulk: true, why: 'drops a whole cluster' },
    examples: [['destructive', 'pg_dropcluster 16 main']],
  },
  {
    programs: 'pg_isready pg_config pg_controldata',
    rule: {},
    examples: [
      ['safe', 'pg_isready -h localhost'],
      ['dangerous', 'pg_isready > x'],
    ],
  },
];
