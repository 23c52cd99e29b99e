import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { captureTail, captureText, decodeText } from '../../../src/adapters/runners/process.ts';

const chunks = fc.array(fc.uint8Array({ maxLength: 40 }).map(bytes => Buffer.from(bytes)));

describe('captured text', () => {
  it('is the same however the bytes were cut', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.array(fc.nat(60)), (text, cuts) => {
        const bytes = Buffer.from(text);
        const capture = captureText(1_000_000);
        let at = 0;
        let seen = '';
        for (const length of [...cuts, bytes.length]) {
          seen += capture.add(bytes.subarray(at, at + length)) ?? '';
          at += length;
        }
        expect(capture.end()).toEqual({ text: bytes.toString(), isUtf8: true });
        expect(seen).toBe(bytes.toString());
      }),
    ));

  it('knows of any bytes whether they are text, as a look at the whole does', () =>
    fc.assert(
      fc.property(chunks, parts => {
        const capture = captureText(1_000_000);
        for (const part of parts) capture.add(part);
        expect(capture.end()).toEqual(decodeText(Buffer.concat(parts)));
      }),
    ));

  it('of an output that ends inside a character is not valid', () => {
    const capture = captureText(10);
    capture.add(Buffer.from([0xe2, 0x82]));
    expect(capture.end()).toEqual({ text: '\uFFFD', isUtf8: false });
  });

  it('of an output that Jury cut is valid wherever it was cut, unless it was not before', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(), (text, at) => {
        const whole = Buffer.from(text);
        const cut = whole.subarray(0, at % (whole.length + 1));
        const capture = captureText(1_000_000);
        capture.add(cut);
        const { text: kept, isUtf8 } = capture.end(true);
        expect(isUtf8 && text.startsWith(kept)).toBe(true);
        expect(cut.length - Buffer.byteLength(kept)).toBeLessThan(4);
        capture.add(Buffer.from([0xff, 0x61, 0xe2, 0x82]));
        expect(capture.end(true).isUtf8).toBe(false);
      }),
    ));

  it('beyond its ceiling keeps the beginning and takes no more', () => {
    const capture = captureText(100_000);
    expect(capture.add(Buffer.alloc(100_000, 97))).toHaveLength(100_000);
    expect(capture.add(Buffer.from('b'))).toBeNull();
    expect(capture.add(Buffer.from('c'))).toBeNull();
    expect(capture.end().text).toBe('a'.repeat(65_536));
  });

  it('beyond its ceiling keeps the beginning also where characters take several bytes', () => {
    const text = 'é😀'.repeat(400_000);
    const [bytes, capture] = [Buffer.from(text), captureText(2_000_000)];
    for (let at = 0; at < bytes.length; at += 65_536) capture.add(bytes.subarray(at, at + 65_536));
    expect(capture.end().text === Buffer.from(text.slice(0, 65_536)).toString()).toBe(true);
  });
});

describe('a captured tail', () => {
  it('is the end of the output, up to 64 KiB', () =>
    fc.assert(
      fc.property(fc.array(fc.nat(50_000), { maxLength: 12 }), lengths => {
        const parts = lengths.map((length, index) => Buffer.alloc(length, 97 + index));
        const tail = captureTail(10_000_000);
        for (const part of parts) tail.add(part);
        expect(tail.bytes().equals(Buffer.concat(parts).subarray(-65_536))).toBe(true);
      }),
    ));

  it('tells when the total passes its ceiling', () => {
    const tail = captureTail(10);
    expect([
      tail.add(Buffer.alloc(10)),
      tail.add(Buffer.alloc(1)),
      tail.add(Buffer.alloc(1)),
    ]).toEqual([true, false, false]);
  });
});
