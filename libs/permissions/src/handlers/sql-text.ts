export type Statement = Readonly<{ text: string; words: readonly string[]; strings: readonly string[] }>;

/** Statements of a SQL text without comments and strings, in upper case; what stands in strings is kept beside them. */
export const statementsOf = (sql: string): Statement[] => {
  const statements: Statement[] = [];
  let text = '';
  let strings: string[] = [];
  const end = (): void => {
    const words = text.toUpperCase().match(/[A-Z_\\.!]+|[^\sA-Z_]/g) ?? [];
    if (words.length > 0) statements.push({ text: text.trim(), words, strings });
    text = '';
    strings = [];
  };
  for (let i = 0; i < sql.length; i++) {
    const rest = sql.slice(i, i + 2);
    if (rest === '--') i = until(sql, '\n', i) - 1;
    else if (rest === '/*') {
      // MySQL runs what stands in /*! … */.
      if (sql[i + 2] === '!') i += 2;
      else i = until(sql, '*/', i + 2) + 1;
      text += ' ';
    } else if (sql[i] === '$' && /^\$\w*\$/.test(sql.slice(i, i + 40))) {
      const tag = /^\$\w*\$/.exec(sql.slice(i, i + 40))![0];
      const close = until(sql, tag, i + tag.length);
      strings.push(sql.slice(i + tag.length, close));
      i = close + tag.length - 1;
      text += " '' ";
    } else if (sql[i] === "'" || sql[i] === '"' || sql[i] === '`') {
      const quote = sql[i]!;
      let j = i + 1;
      while (j < sql.length && !(sql[j] === quote && sql[j + 1] !== quote)) j += sql[j] === '\\' || sql[j] === quote ? 2 : 1;
      strings.push(sql.slice(i + 1, j));
      text += quote === "'" ? " '' " : ' x ';
      i = j;
    } else if (sql[i] === ';') end();
    else text += sql[i];
  }
  end();
  return statements;
};

const until = (text: string, what: string, from: number): number => {
  const at = text.indexOf(what, from);
  return at < 0 ? text.length : at;
};

export type Destruction = Readonly<{ what: string; bulk: boolean }>;

const DROPPED =
  /^(DATABASE|SCHEMA|TABLE|TABLESPACE|USER|ROLE|VIEW|INDEX|COLUMN|KEYSPACE|COLLECTION|FUNCTION|TYPE|SEQUENCE|EXTENSION|MATERIALIZED|OWNED|TRIGGER|PROCEDURE|TEMPORARY|PARTITION|CATALOG|SERVER|POLICY|CONSTRAINT|EVENT|LOGIN|STATISTICS|PUBLICATION|SUBSCRIPTION|CLUSTER|FOREIGN|DICTIONARY|STREAM|WAREHOUSE|STAGE|IF)$/;

/** What in a SQL text takes data away, if anything does. Words in strings count only where statements run them. */
export const destructiveSql = (sql: string, depth = 0): Destruction | undefined => {
  if (!/drop|truncate|delete|flush/i.test(sql) || sql.length > 100_000) return undefined;
  for (const { words, strings } of statementsOf(sql)) {
    const at = words.findIndex((word) => /^[A-Z]+$/.test(word));
    const has = (word: string): boolean => words.includes(word);
    for (const [i, word] of words.entries()) {
      const next = words[i + 1] ?? '';
      if (word === 'DROP' && DROPPED.test(next) && (i === at || words[at] === 'ALTER' || words[at] === 'EXPLAIN' || words[at] === 'BEGIN'))
        return { what: `DROP ${next}`, bulk: /^(DATABASE|SCHEMA|TABLESPACE|KEYSPACE|OWNED|CATALOG|CLUSTER)$/.test(next) };
      if (word === 'TRUNCATE' && (i === at || words[at] === 'ALTER' || words[at] === 'BEGIN') && next !== '(')
        return { what: 'TRUNCATE', bulk: true };
      if (word === 'DELETE' && (next === 'FROM' || (i === at && /^[A-Z_.]+$/.test(next))) && words[i - 1] !== 'ON')
        return { what: 'DELETE FROM', bulk: !has('WHERE') };
    }
    if (
      depth < 3 &&
      /^(EXECUTE|EXEC|DO|PREPARE|CALL|BEGIN|DECLARE|SET|CREATE|SELECT)$/.test(words[at] ?? '') &&
      /EXEC|PREPARE|DO|BEGIN|FUNCTION|PROCEDURE|DBLINK|QUERY_TO_XML/.test(words.join(' '))
    )
      for (const text of strings) {
        const inner = destructiveSql(text, depth + 1);
        if (inner) return inner;
      }
  }
  return undefined;
};
