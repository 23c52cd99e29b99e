import { describe, expect, it } from 'vitest';
import { renderMotions } from '../../src/render/motions.ts';
import { diffText, renderMotionsMarkdown } from '../../src/render/motions-markdown.ts';
import { golden } from './golden.ts';
import { sampleTriage, sampleVote } from './sample-vote.ts';

describe('the Markdown report of a vote', () => {
  it('reads as agreed', async () => {
    const text = renderMotionsMarkdown(await sampleVote('with care'));
    expect(text).toBe(golden('motions.md', text));
  });

  it('keeps dissent word for word, line by line', async () =>
    expect(renderMotionsMarkdown(await sampleVote('with care'))).toContain(
      '> First  line of Member-005.\n> \n> - second line: with care\n',
    ));

  it('tells support that nobody asked for apart from what was said, on the terminal too', async () => {
    const report = await sampleVote('with care');
    expect(renderMotions(report)).toContain(
      '\n   of the yeas 3 implicit: supported it before the vote, not asked\n',
    );
    expect(renderMotionsMarkdown(report)).toContain('| 7 (3 implicit) |');
  });

  it('has a table of risk alone before anybody is asked', async () => {
    const text = renderMotionsMarkdown(await sampleTriage('with care'));
    expect(text).toContain('# Motions before the vote\n');
    expect(text).toContain('| 1 | `Publish with care` | medium | 3 of 8 | 5 | 0 |');
    expect(text).not.toMatch(/Outcome|Panel|Reviews/);
  });

  it('shows a title of several lines on one', async () => {
    const { run, ...report } = await sampleVote('with care');
    const accounts = run.accounts.map(account => ({
      ...account,
      mega_motion_title: 'Publish\n# with  care',
    }));
    const text = renderMotionsMarkdown({ ...report, run: { ...run, accounts } });
    expect(text).toContain('| 1 | `Publish # with care` | medium |');
    expect(text).toContain('- Motion: `Publish # with care`\n');
  });

  it('says above the table that nobody was asked when it was simulated', async () => {
    const report = await sampleVote('with care');
    expect(
      renderMotionsMarkdown({ ...report, run: { ...report.run, mode: 'simulated' } }),
    ).toContain('- Mode: simulation: nobody was asked\n');
  });

  it('shows no first pass where there was no second', async () => {
    const report = await sampleVote('with care');
    const accounts = report.run.accounts.map(account => ({
      ...account,
      outcome: 'deferred' as const,
      second_pass: null,
      first_pass: null,
    }));
    expect(renderMotionsMarkdown({ ...report, run: { ...report.run, accounts } })).toContain(
      '| 1 | `Publish with care` | medium | deferred | 7 (3 implicit) | 0 | 0 | 0 | 1 | – |',
    );
  });
});

describe('what an amended text changes', () => {
  it('is shown sentence by sentence, also within one paragraph', () =>
    expect(
      diffText(
        'The council meets. It keeps minutes. Nobody is paid.',
        'The council meets in public. It keeps minutes. Nobody is paid.\nThis holds for a year.',
      ).split('\n'),
    ).toEqual([
      '- The council meets.',
      '+ The council meets in public.',
      '  It keeps minutes.',
      '  Nobody is paid.',
      '+ This holds for a year.',
    ]));

  it('leaves out what stayed but for two lines around each change', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `clause ${index}`);
    const changed = lines.with(3, 'another clause').with(15, 'a third clause');
    expect(diffText(lines.join('\n'), changed.join('\r\n'))).toBe(
      '  clause 1\n  clause 2\n- clause 3\n+ another clause\n  clause 4\n  clause 5\n…\n' +
        '  clause 13\n  clause 14\n- clause 15\n+ a third clause\n  clause 16\n  clause 17',
    );
  });

  it('of texts that have nothing in common is the new one', () =>
    expect(diffText(many('old'), many('new'))).toBe(many('new')));
});

function many(word: string) {
  return Array.from({ length: 1500 }, (_, index) => `${word} ${index}`).join('\n');
}
