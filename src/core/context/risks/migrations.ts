/** Changes to the shape of a database: statements that define data, and migrations. */
import { isTestPath } from '../../languages/path-kinds.ts';
import { bare, type ChangedText, isProgram, type SideLine } from './changed-lines.ts';
import { quote, sayOthers, type Risk } from './risk.ts';

/** Files of one sort are one risk: the first is told, the others are counted. */
export function findMigrations(texts: readonly ChangedText[]): Risk[] {
  const signs = texts.map(signOf).filter(sign => sign !== null);
  return sorts.flatMap(what => {
    const [first, ...others] = signs.filter(one => one.what === what);
    return first === undefined ? [] : [riskOf(first, others)];
  });
}

const sorts = [
  'takes data away',
  'changes the database',
  'changes a migration that was there before',
] as const;

interface Sign {
  readonly path: string;
  readonly line: SideLine;
  readonly what: (typeof sorts)[number];
  readonly shown: string;
  /** Further such lines of the same file. */
  readonly more: number;
}

function signOf(text: ChangedText): Sign | null {
  const { path, status, added: lines } = text;
  if (status === 'deleted' || isTestPath(path)) return null;
  const isMigration = migrationPath.test(path);
  if (!isMigration && !isProgram(text)) return null;
  const before = new Set(text.removed.map(one => bare(one.text)));
  const shaping = lines.filter(
    one => shapes(one.text, path, isMigration) && !before.has(bare(one.text)),
  );
  const losing = shaping.find(one => losesData.test(one.text));
  const [any] = shaping;
  const first = losing ?? any;
  const was = isMigration && status === 'modified' && text.deletions > 0;
  const what =
    losing !== undefined
      ? 'takes data away'
      : any !== undefined
        ? was
          ? 'changes a migration that was there before'
          : 'changes the database'
        : null;
  if (first !== undefined && what !== null)
    return { path, line: first, what, shown: statementAt(lines, first), more: shaping.length - 1 };
  const edited = was ? editedLine(text) : null;
  return edited === null
    ? null
    : {
        path,
        line: edited,
        what: 'changes a migration that was there before',
        shown: edited.text,
        more: 0,
      };
}

/** Written in another form it does the same. */
function editedLine(text: ChangedText): SideLine | null {
  const [before, after] = [text.removed, text.added].map(lines =>
    lines.filter(
      ({ code }) => code.trim() !== '' && !/^\s*(?:import|from|use|require)\b/.test(code),
    ),
  );
  return joined(before ?? []) === joined(after ?? []) ? null : (after?.[0] ?? before?.[0] ?? null);
}

function joined(lines: readonly SideLine[]): string {
  return lines.map(one => bare(one.text)).join('');
}

const longestStatement = 8;

/** A call goes on until its parenthesis is closed. */
function statementAt(lines: readonly SideLine[], first: SideLine): string {
  const from = lines.indexOf(first);
  let depth = 0;
  const parts: string[] = [];
  for (const { text, number } of lines.slice(from, from + longestStatement)) {
    if (number !== first.number + parts.length) break;
    parts.push(text.trim());
    depth += text.split(/[([]/).length - text.split(/[)\]]/).length;
    if (depth <= 0) break;
  }
  return parts.join(' ');
}

function riskOf({ path, line, what, shown, more }: Sign, others: readonly Sign[]): Risk {
  const at = `${path}:${line.newLine}`;
  const so = sayOthers(others);
  return {
    kind: 'migration',
    path,
    line: line.newLine,
    sentence: `${at} ${what}: ${quote(shown)}${more > 0 ? ` (${more + 1} such lines)` : ''}${so}`,
    evidence: [line.text],
    action:
      what === 'changes a migration that was there before'
        ? `Check what becomes of databases where ${path} has run`
        : `Check ${at} against data that exists, and how it is undone`,
  };
}

/** Numbered or dated files, as the tools for migrations name them. The code of such a tool is no migration. */
const migrationPath =
  /(?:^|\/)(?:migrations?|migrate|versions|changelogs?)\/(?:.*\/)?(?:\d{3,}[\w-]*|V\d+[\w.]*__[\w-]+|[0-9a-f]{12}_\w+)(?:\.\w+)+$|(?:^|\/)migrations?\/\d{8,}[\w-]*\/\w+\.sql$/i;
/** All migrations in one file: their statements begin lines of a long string. */
const inOneFile = /(?:^|\/)(?:migrations?|schema)\.\w+$/i;

/** A statement with a literal name: one that is put together by a program builds what others ask of it. */
const statement =
  /\b(?:create\s+(?:or\s+replace\s+|unique\s+|temp(?:orary)?\s+)*(?:table|index|view|trigger|type|schema|sequence|function|procedure)|alter\s+(?:table|type|view)|drop\s+(?:table|column|index|view|type|schema|database|constraint)|truncate\s+table|rename\s+(?:table|column))\s+(?:concurrently\s+)?(?:if\s+(?:not\s+)?exists\s+)?["`[]?[a-z_][\w.]*/i;
const column = /^\s*(?:add|drop|alter|rename|modify)\s+(?:column|constraint)\s+["`[]?[a-z_]\w*/i;
const byCode =
  /\b(?:create_table|drop_table|add_column|remove_column|rename_column|change_column\w*|add_index|remove_index|add_reference|remove_reference|rename_table|create_join_table|drop_column|alter_column|create_index|drop_index|createTable|dropTable\w*|alterTable|addColumn|dropColumn|removeColumn|renameColumn|renameTable|addIndex|removeIndex|AddField|RemoveField|AlterField|RenameField|CreateModel|DeleteModel|RunSQL|RunPython)\b\s*(?:\(|:|["'])/;
const losesData =
  /\b(?:drop\s+(?:table|column|schema|database)|truncate\s+table|drop_table|remove_column|drop_column|dropTable\w*|dropColumn|removeColumn|RemoveField|DeleteModel)\b/i;

function shapes(line: string, path: string, isMigration: boolean): boolean {
  if (line.length > 1_000 || /^\s*(?:--|\/\/|#|\*)/.test(line)) return false;
  if (isMigration) return byCode.test(line) || statement.test(line) || column.test(line);
  if (/\.sql$/i.test(path)) return statement.test(line) || column.test(line);
  // In other code it is a statement only at the start of a text.
  const begins = inOneFile.test(path) ? '(?:^|["\'`])\\s*' : '["\'`]\\s*';
  return new RegExp(`${begins}(?:${statement.source})`, 'i').test(line);
}
