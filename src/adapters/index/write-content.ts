/** Writes what was found in one content. */
import type { Database } from '../store/sqlite.ts';
import type { Examined, ExaminedText } from './examine.ts';
import { cutPassages } from './passages.ts';
import { noStructure } from './structure.ts';

export interface ContentKey {
  readonly id: string;
  readonly language: string;
}

export type ContentWriter = (key: ContentKey, examined: Examined) => void;

const longestSignature = 200;

/** Statements are prepared once. Every call belongs into a transaction; a content that another process wrote meanwhile is left alone. */
export function createContentWriter(database: Database): ContentWriter {
  const has = database.prepare('SELECT 1 FROM content WHERE id = ? AND language = ?');
  const addContent = database.prepare('INSERT INTO content(id, language, reason, bytes, lines, tokens, definitions, places, imports) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number');
  const writeText = createTextWriter(database);
  return ({ id, language }, examined) => {
    if (has.get(id, language) !== undefined) return;
    const { bytes, lines, tokens, structure } = examined.reason === null ? examined : { bytes: 0, lines: 0, tokens: 0, structure: noStructure };
    const { definitions, names, imports } = structure;
    const places = [...names.values()].reduce((sum, { calls, uses }) => sum + calls.size + uses.size, 0);
    const { number } = addContent.get(id, language, examined.reason, bytes, lines, tokens, definitions.length, places, imports.length) as { readonly number: number };
    if (examined.reason === null) writeText(number, examined);
  };
}

function createTextWriter(database: Database): (content: number, examined: ExaminedText) => void {
  const addDefinition = database.prepare('INSERT INTO definition(content, name, kind, startLine, endLine, signature) VALUES (?, ?, ?, ?, ?, ?)');
  const addUsage = database.prepare('INSERT INTO usage(name, content, calls, uses) VALUES (?, ?, ?, ?)');
  const addImport = database.prepare('INSERT INTO import(content, line, specifier, startLine, endLine) VALUES (?, ?, ?, ?, ?)');
  const addPlace = database.prepare('INSERT INTO place(content, startLine, endLine) VALUES (?, ?, ?) RETURNING number');
  const addPassage = database.prepare('INSERT INTO passage(rowid, body, words) VALUES (?, ?, ?)');
  return (content, { text, structure }) => {
    const lines = text.split('\n');
    for (const { name, kind, startLine, endLine } of structure.definitions) {
      addDefinition.run(content, name, kind, startLine, endLine, (lines[startLine - 1] ?? '').trim().slice(0, longestSignature));
    }
    for (const [name, { calls, uses }] of structure.names) addUsage.run(name, content, [...calls].join(' '), [...uses].join(' '));
    for (const { specifier, line, startLine, endLine } of structure.imports) addImport.run(content, line, specifier, startLine, endLine);
    for (const { startLine, endLine, text: body, words } of cutPassages(text)) {
      const { number } = addPlace.get(content, startLine, endLine) as { readonly number: number };
      addPassage.run(number, body, words);
    }
  };
}
