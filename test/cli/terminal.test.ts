import { describe, expect, it } from 'vitest';
import { tell } from '../../src/cli/terminal.ts';
import { createScreen } from './screen.ts';

const address = 'https://example.org/a/long/address/that/is/longer/than/any/line/of/this/terminal';
const file = '/home/somebody/projects/a-shop/with/a/long/path/to/its/jury.config.yaml';

function told(text: string, columns: number) {
  const screen = createScreen(columns, 24);
  tell(screen.stream, text, {});
  return screen.written().split('\n');
}

describe('what is told on standard error', () => {
  it.each([20, 40, 80])('ends its lines between words on a terminal of %i columns', columns => {
    const words = `jury: ${file}: reviewers[0] names no persona. See ${address} or the documentation.`;
    const lines = told(`${words}\n`, columns);
    expect(lines.join(' ').trim()).toBe(words);
    for (const line of lines) {
      expect(!line.includes(' ') || line.length <= columns).toBe(true);
    }
    expect(lines).toContain(address);
  });

  it('keeps what lines are indented by, and what is short as it is', () =>
    expect(told('Found:\n  one thing  of three words\n\nEnd\n', 14)).toEqual([
      'Found:',
      '  one thing',
      '  of three',
      '  words',
      '',
      'End',
      '',
    ]));

  it('shows whatever would steer the terminal', () =>
    expect(told('no \u001B[2J such file\n', 80)).toEqual(['no ⟦U+001B⟧[2J such file', '']));

  it('breaks nothing where no terminal is', () => {
    const written: string[] = [];
    const { stream } = createScreen(20, 24);
    const pipe = Object.assign(Object.create(stream), {
      isTTY: undefined,
      write: (text: string) => written.push(text) > 0,
    });
    tell(pipe, `jury: ${file} cannot be read\n`, {});
    expect(written).toEqual([`jury: ${file} cannot be read\n`]);
  });
});
