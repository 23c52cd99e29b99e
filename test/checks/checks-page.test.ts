import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readDefects } from '../../bench/planted/defects.mjs';
import { callRules } from '../../src/checks/calls/find-calls.ts';
import { type Kind, wordsOf } from '../../src/checks/flow/table.ts';
import { flowTables } from '../../src/checks/flow/tables.ts';
import { patternRules } from '../../src/checks/world/patterns.ts';
import { askAnalyser } from './ask-analyser.ts';
import { flowSamples } from './flow-samples.ts';
import { samples } from './pattern-samples.ts';
import { ruleSamples } from './rule-samples.ts';

const page = fileURLToPath(new URL('../../docs/checks.md', import.meta.url));
const region = /(<!-- rules: [^\n]*-->\n)[^]*(<!-- end of rules -->)/;

interface Row {
  readonly id: string;
  readonly weakness: string;
  readonly severity: string;
}

/** Every rule of the analyser, sorted by language and name. */
function rows(): readonly Row[] {
  const flows = flowTables.flatMap(({ language, sinks }) =>
    [...new Set(sinks.map(({ kind }) => kind))].map((kind: Kind) => ({
      id: `${language}-flow-${kind}`,
      weakness: [
        ...new Set(
          sinks
            .filter(sink => sink.kind === kind)
            .map(({ weakness }) => weakness ?? wordsOf(kind).weakness),
        ),
      ].join(', '),
      severity: wordsOf(kind).severity,
    })),
  );
  return [...patternRules, ...callRules, ...flows].toSorted((one, other) =>
    one.id.localeCompare(other.id, 'en'),
  );
}

/** A line that raises each rule: of an open planted defect, else of its sample. */
async function examples(): Promise<ReadonlyMap<string, string>> {
  const open = readDefects().filter(({ isAside }) => !isAside);
  const texts = Object.fromEntries(open.map(({ path, text }) => [path, text]));
  const found = new Map<string, string>();
  for (const language of new Set(open.map(defect => defect.language))) {
    const own = open.filter(defect => defect.language === language);
    const files = Object.fromEntries(own.map(({ path, text }) => [path, text]));
    const { findings } = await askAnalyser({ analyser: 'patterns', files });
    for (const { file = '', line = 0, evidence = '' } of findings) {
      const id = /patterns\/(\S+?)[ .]/.exec(evidence)?.[1] ?? '';
      if (!found.has(id)) found.set(id, texts[file]?.split('\n')[line - 1]?.trim() ?? '');
    }
  }
  for (const [id, { path, guilty }] of Object.entries(ruleSamples)) {
    const { findings } = await askAnalyser({ analyser: 'patterns', files: { [path]: guilty } });
    const line = findings.find(({ evidence = '' }) => evidence.includes(`/${id} `))?.line ?? 0;
    found.set(id, guilty.split('\n')[line - 1]?.trim() ?? '');
  }
  for (const [id, { guilty }] of Object.entries(samples)) {
    const lines = guilty[0]?.split('\n') ?? [];
    const hit = lines.find(line => line.includes('HIT')) ?? lines[0] ?? '';
    if (!found.has(id)) found.set(id, hit.replace(/\s*(?:\/\/|#|\/\*)\s*HIT.*$/, '').trim());
  }
  for (const [id, line] of Object.entries(flowSamples))
    if (!found.has(id)) found.set(id, line.trim());
  return found;
}

function code(text: string): string {
  if (text === '') return '';
  const escaped = text.replaceAll('|', '\\|');
  return escaped.includes('`') ? `\`\` ${escaped} \`\`` : `\`${escaped}\``;
}

describe('the page of checks', () => {
  it('lists every rule with its weakness, its severity and a line that raises it', async () => {
    const shown = await examples();
    const table = [
      '| rule | weakness | severity | example |',
      '| --- | --- | --- | --- |',
      ...rows().map(
        ({ id, weakness, severity }) =>
          `| \`${id}\` | ${weakness} | ${severity} | ${code(shown.get(id) ?? '')} |`,
      ),
    ].join('\n');
    const text = readFileSync(page, 'utf8');
    const whole = text.replace(
      region,
      (_, head: string, end: string) => `${head}\n${table}\n\n${end}`,
    );
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(page, whole);
    expect(readFileSync(page, 'utf8')).toBe(whole);
    expect(rows().filter(({ id }) => !shown.has(id))).toEqual([]);
  });
});
