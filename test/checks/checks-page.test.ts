import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { languages, readLanguage } from '../../src/checks/world/rule-files.ts';
import { askAnalyser } from './ask-analyser.ts';

const page = fileURLToPath(new URL('../../docs/checks.md', import.meta.url));
const region = /(<!-- rules: [^\n]*-->\n)[^]*(<!-- end of rules -->)/;

/** Every rule, sorted by language and name, with a line that raises it. */
async function rows() {
  const all = await Promise.all(
    languages.map(async language => {
      const { rules, flow, kinds, path } = await readLanguage(language);
      const plain = Object.entries(rules).map(([id, { cwe, severity, wrong }]) => ({
        id,
        weakness: cwe,
        severity,
        wrong,
      }));
      const flows = Object.entries(flow.examples).map(([id, { wrong }]) => {
        const own = flow.sinks.filter(
          ({ kind, built }) => built === id || `${language}-flow-${kind}` === id,
        );
        const weakness = [...new Set(own.map(({ kind, cwe }) => cwe ?? kinds[kind].cwe))].join(
          ', ',
        );
        const [{ kind } = { kind: 'sql' as const }] = own;
        return { id, weakness, severity: kinds[kind].severity, wrong };
      });
      return Promise.all(
        [...plain, ...flows].map(async ({ wrong: [first = ''], ...row }) => {
          const { path: at, text } = typeof first === 'string' ? { path, text: first } : first;
          return { ...row, example: await raisingLine(row.id, at, text) };
        }),
      );
    }),
  );
  return all.flat().toSorted((one, other) => one.id.localeCompare(other.id, 'en'));
}

async function raisingLine(id: string, path: string, text: string) {
  const lines = text.split('\n');
  const { said } = await askAnalyser({ analyser: 'patterns', files: { [path]: text } });
  const line = said.find(entry => entry.startsWith(`patterns/${id}:`)) ?? said[0] ?? ':0';
  const shown = lines.find(each => each.includes('HIT')) ?? lines[Number(line.split(':')[1]) - 1];
  return (shown ?? '').replace(/\s*(?:\/\/|#|\/\*)\s*HIT.*$/, '').trim();
}

function code(text: string) {
  if (text === '') return '';
  const escaped = text.replaceAll('|', '\\|');
  return escaped.includes('`') ? `\`\` ${escaped} \`\`` : `\`${escaped}\``;
}

describe('the page of checks', () => {
  it('lists every rule with its weakness, its severity and a line that raises it', async () => {
    const all = await rows();
    const table = [
      '| rule | weakness | severity | example |',
      '| --- | --- | --- | --- |',
      ...all.map(
        ({ id, weakness, severity, example }) =>
          `| \`${id}\` | ${weakness} | ${severity} | ${code(example)} |`,
      ),
    ].join('\n');
    const text = readFileSync(page, 'utf8');
    const whole = text.replace(
      region,
      (_, head: string, end: string) => `${head}\n${table}\n\n${end}`,
    );
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(page, whole);
    expect(readFileSync(page, 'utf8')).toBe(whole);
    expect(all.filter(({ example }) => example === '')).toEqual([]);
  });
});
