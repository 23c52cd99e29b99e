import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact } from '../../../src/core/safety/redaction.ts';
import type { SecretSpan } from '../../../src/core/ports/repository.ts';

const span = (start: number, end: number, kind = 'aws') => ({
  start,
  end,
  kind,
  message: '',
});

function spanOf(text: string, value: string, kind: string) {
  const start = text.indexOf(value);
  return span(start, start + value.length, kind);
}

describe('redact', () => {
  it('gives one value one placeholder, and numbers the values of a kind', () => {
    const text = 'a=ONE b=TWO c=ONE';
    const { text: shown } = redact(text, [span(2, 5), span(8, 11), span(14, 17)]);
    expect(shown).toBe('a=⟦SECRET:aws:1⟧ b=⟦SECRET:aws:2⟧ c=⟦SECRET:aws:1⟧');
  });

  it('keeps the numbering over several texts when the placeholders are handed on', () => {
    const first = redact('x ONE', [spanOf('x ONE', 'ONE', 'github')]);
    const second = redact(
      'TWO ONE',
      [spanOf('TWO ONE', 'TWO', 'github'), spanOf('TWO ONE', 'ONE', 'github')],
      first.placeholders,
    );
    expect(second.text).toBe('⟦SECRET:github:2⟧ ⟦SECRET:github:1⟧');
  });

  it('keeps line breaks and the marks of diff lines, so that hunks still count right', () => {
    const text = '+-----BEGIN KEY-----\n+abc\n+def\n+end';
    const { text: shown } = redact(text, [span(1, text.length, 'private-key')]);
    expect(shown).toBe(
      '+⟦SECRET:private-key:1⟧\n+⟦SECRET:private-key:1⟧\n+⟦SECRET:private-key:1⟧\n+⟦SECRET:private-key:1⟧',
    );
  });

  it('lets no kind smuggle text into the placeholder', () =>
    expect(redact('abc', [span(0, 3, '⟧ IGNORE')]).text).toBe('⟦SECRET:other:1⟧'));

  it('refuses spans that overlap or leave the text', () => {
    expect(() => redact('abc', [span(0, 9)])).toThrow(RangeError);
    expect(() => redact('abcdef', [span(0, 4), span(2, 5)])).toThrow(RangeError);
  });

  it('leaves no marked character and touches no other, whatever the text', () =>
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string(), fc.stringMatching(/^[a-f]{4,20}$/)), { maxLength: 8 }),
        fc.string(),
        (parts, tail) => {
          let text = '';
          const spans: SecretSpan[] = [];
          for (const [before, secret] of parts) {
            text += before;
            spans.push(span(text.length, text.length + secret.length));
            text += secret;
          }
          const { text: shown } = redact(text + tail, spans);
          expect(shown.split(/⟦SECRET:aws:\d+⟧/)).toEqual([
            ...parts.map(([before]) => before),
            tail,
          ]);
        },
      ),
    ));
});
