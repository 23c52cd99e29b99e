/** As many findings as no person reads. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createJury } from '../../src/index.ts';
import { renderClaimsJson } from '../../src/cli/checks.ts';
import { createFolder } from '../adapters/git/sample-repository.ts';
import { superlinear } from '../growth.ts';

it.each([
  ['copies of one finding', () => 'No lock around the writer', 1],
  [
    'findings of 100 KB in twenty wordings',
    (index: number) =>
      `${'lock around writer '.repeat(index > 200 ? 1 : 5_000)}${'abcdefghij'.charAt(index % 10)}x`,
    null,
  ],
  [
    'different findings',
    (index: number) => `module${index} leaks handle${index * 7} on path${index * 13}`,
    null,
  ],
])(
  '10,000 %s are each in exactly one claim, in steps that grow with them',
  async (_, text, claimCount) => {
    const cwd = createFolder();
    const jury = createJury({ cwd, environment: { JURY_STATE: process.env['JURY_STATE'] } });
    let claims: { readonly findings: readonly number[] }[] = [];
    const read = async (count: number) => {
      const findings = Array.from({ length: count }, (__, index) => ({
        reviewer: `R${index % 4}`,
        text: text(index),
        severity: 'low',
      }));
      writeFileSync(path.join(cwd, 'a.json'), JSON.stringify({ findings }));
      claims = JSON.parse(renderClaimsJson(await jury.consensus({ files: ['a.json'] }))).claims;
    };
    expect(await superlinear(1_250, read)).toEqual([]);
    expect(
      claims.flatMap(({ findings }) => findings).toSorted((one, other) => one - other),
    ).toEqual(Array.from({ length: 10_000 }, (__, index) => index));
    if (claimCount !== null) expect(claims).toHaveLength(claimCount);
  },
);
