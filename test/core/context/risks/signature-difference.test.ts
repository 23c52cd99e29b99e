import { describe, expect, it } from 'vitest';
import { compareSignatures } from '../../../../src/core/context/risks/signature-difference.ts';

describe('the difference between two signatures', () => {
  it.each([
    [
      'a.ts',
      'function read(a: string)',
      'function read(a: string, b: number)',
      'takes `b: number` in addition',
    ],
    ['a.ts', 'function read(a: string)', 'function read(a: string, b?: number)', null],
    ['a.ts', 'function read(a: string)', 'function read(text: string)', null],
    [
      'a.ts',
      'function read(a: string)',
      'function read(a: number)',
      'takes `a: number` instead of `a: string`',
    ],
    ['a.ts', 'function read(a: A): B', 'function read(a: A): C', 'gives back `C` instead of `B`'],
    [
      'a.ts',
      'function read(a: A, b: B)',
      'function read(b: B, a: A)',
      'takes its parameters in another order: `b: B, a: A`',
    ],
    ['a.ts', 'function read(a: { b: C; d: E })', 'function read(a: {b: C, d: E})', null],
    ['a.py', 'def read(a: str) -> str', 'def read(a: bytes | str) -> bytes', null],
    [
      'a.py',
      'def read(a, code=302)',
      'def read(a, code=303)',
      'takes `code=303` instead of `code=302`',
    ],
    ['a.py', 'def read(a, b)', 'def read(a, *, b)', 'takes `b` by name alone'],
    ['a.py', 'def read(a)', 'def read(text)', 'takes `text` instead of `a`'],
    ['a.py', 'def read(a)', 'def read(', null],
    ['a.go', 'func Cut(max int) string', 'func Cut(limit int) string', null],
    ['a.go', 'func Get() (n int, err error)', 'func Get() (int, error)', null],
    ['a.php', 'function read($a)', 'function read($b)', null],
    ['a.php', 'function read(Box $a = null)', 'function read(?Box $a = null)', null],
    ['A.cs', 'void Read(Box a)', 'void Read(Box a = null)', null],
    ['A.cs', '[Obsolete(Message)]', 'void read(Box a, Box b)', null],
    [
      'a.go',
      'func (b *Box) Read(a string) error',
      'func (b *Box) Read(a string, more ...int) error',
      null,
    ],
    ['A.java', 'public int read(String a)', 'public int read(final String group)', null],
    ['a.rb', 'def read(a)', 'def read(a, most: 100)', null],
  ])('%s: %s -> %s', (path, before, after, told) => {
    expect(
      compareSignatures(
        'read',
        before.replace('Read', 'read'),
        after.replace('Read', 'read'),
        path,
      ),
    ).toBe(told);
  });
});
