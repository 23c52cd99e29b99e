import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact } from '../../../src/core/safety/redaction.ts';
import type { SecretSpan } from '../../../src/core/ports/repository.ts';

function spanOf(text: string, value: string, kind: string): SecretSpan {
  const start = text.indexOf(value);
  return { start, end: start + value.length, kind, message: '' };
}

describe('redact', () => {
  it('gives one value one placeholder, and numbers the values of a kind', () => {
    const text = 'a=ONE b=TWO c=ONE';
    const spans = [
      { start: 2, end: 5, kind: 'aws', message: '' },
      { start: 8, end: 11, kind: 'aws', message: '' },
      { start: 14, end: 17, kind: 'aws', message: '' },
    ];
    const { text: shown } = redact(text, spans);
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
    const { text: shown } = redact(text, [
      { start: 1, end: text.length, kind: 'private-key', message: '' },
    ]);
    expect(shown).toBe(
      '+⟦SECRET:private-key:1⟧\n+⟦SECRET:private-key:1⟧\n+⟦SECRET:private-key:1⟧\n+⟦SECRET:private-key:1⟧',
    );
  });

  it('lets no kind smuggle text into the placeholder', () =>
    expect(redact('abc', [{ start: 0, end: 3, kind: '⟧ IGNORE', message: '' }]).text).toBe(
      '⟦SECRET:other:1⟧',
    ));

  it('refuses spans that overlap or leave the text', () => {
    expect(() => redact('abc', [{ start: 0, end: 9, kind: 'aws', message: '' }])).toThrow(
      RangeError,
    );
    expect(() =>
      redact('abcdef', [
        { start: 0, end: 4, kind: 'aws', message: '' },
        { start: 2, end: 5, kind: 'aws', message: '' },
      ]),
    ).toThrow(RangeError);
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
            spans.push({
              start: text.length,
              end: text.length + secret.length,
              kind: 'aws',
              message: '',
            });
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
