/** Changes to the shape of a database: statements that define data, and migrations. */
import { isTestPath, kindsOf } from '../../languages/path-kinds.ts';
import type { ChangedFile } from '../../words/change.ts';
import { addedLines, type ChangedText, type SideLine } from './changed-lines.ts';
import { quote, type Risk } from './risk.ts';

export function findMigrations(texts: readonly (readonly [ChangedFile, ChangedText])[]): Risk[] {
  return texts.flatMap(([file, text]) => {
    if (file.status === 'deleted' || isTestPath(file.path)) return [];
    const isMigration = migrationPath.test(file.path);
    if (!isMigration && !mayHoldStatements(file.path)) return [];
    const lines = addedLines(text);
    const shaping = lines.filter(({ text: line }) => shapes(line, file.path, isMigration));
    const first = shaping.find(({ text: line }) => losesData.test(line));
    const [any] = shaping;
    if (first !== undefined) return [riskOf(file.path, first, 'takes data away', shaping.length)];
    if (any !== undefined) return [riskOf(file.path, any, 'changes the database', shaping.length)];
    const isEdited = isMigration && file.status === 'modified';
    return isEdited && lines[0] !== undefined
      ? [riskOf(file.path, lines[0], 'changes a migration that may have run already', 1)]
      : [];
  });
}

function riskOf(path: string, { text, newLine }: SideLine, what: string, count: number): Risk {
  return {
    kind: 'migration',
    path,
    line: newLine,
    sentence: `${path}:${newLine} ${what}: ${quote(text)}${count > 1 ? ` (${count} such lines)` : ''}`,
    evidence: [text],
    action: `Check ${path}:${newLine} against data that exists, and how it is undone`,
  };
}

/** Numbered or dated files, as the tools for migrations name them. The code of such a tool is no migration. */
const migrationPath =
  /(?:^|\/)(?:migrations?|migrate|versions|changelogs?)\/(?:.*\/)?(?:\d{3,}[\w-]*|V\d+[\w.]*__[\w-]+|[0-9a-f]{12}_\w+)(?:\.\w+)+$|(?:^|\/)migrations?\/\d{8,}[\w-]*\/\w+\.sql$/i;

function mayHoldStatements(path: string): boolean {
  const kinds = kindsOf({ path, changedLines: [] });
  return kinds.has('code') && !kinds.has('test') && !kinds.has('documentation');
}

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
  return new RegExp(`["'\`]\\s*(?:${statement.source})`, 'i').test(line);
}
