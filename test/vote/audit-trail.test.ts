import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/adapters/system/clock.ts';
import {
  AuditEvent,
  canonicalJson,
  createAuditTrail,
  findBreak,
} from '../../src/vote/recorded-inputs.ts';
import { sha256 } from '../../src/core/hash.ts';

function trailOf(count: number) {
  const trail = createAuditTrail('s-1', { rule_set: 'guarded@1', simulated: false }, systemClock);
  for (let number = 1; number <= count; number++)
    trail.record(`event ${number}`, ['Ä'], { number, ß: null });
  return { events: [...trail.events], head: trail.head };
}

describe('the audit trail', () => {
  it('binds each event to the one before, from 64 zeros to the head', () => {
    const { events, head } = trailOf(3);
    expect(events[0]?.prev_sha256).toBe('0'.repeat(64));
    expect(events[1]?.prev_sha256).toBe(sha256(canonicalJson(events[0])));
    expect(head).toBe(sha256(canonicalJson(events[2])));
    expect(findBreak(events, head)).toBeNull();
    expect(findBreak([], null)).toBeNull();
  });

  it('is the hash of canonical JSON: keys by code point, no white space', () =>
    expect(
      canonicalJson({ b: [1, 'x y', null], a: { d: true, c: 0.5 }, '\u{1F600}': 1, '\uFFFF': 2 }),
    ).toBe('{"a":{"c":0.5,"d":true},"b":[1,"x y",null],"\uFFFF":2,"\u{1F600}":1}'));

  it('names the following event when any byte of one is changed, the last by the recorded head', () => {
    const { events, head } = trailOf(6);
    const lines = events.map(event => JSON.stringify(event));
    const Change = fc
      .integer({ min: 0, max: 5 })
      .chain(index =>
        fc.tuple(fc.constant(index), fc.integer({ min: 0, max: (lines[index]?.length ?? 1) - 1 })),
      );
    fc.assert(
      fc.property(Change, ([index, at]) => {
        const line = lines[index] ?? '';
        const changed =
          line.slice(0, at) + (line.charAt(at) === '7' ? '8' : '7') + line.slice(at + 1);
        let event: unknown;
        try {
          event = JSON.parse(changed);
        } catch {
          return;
        }
        const checked = AuditEvent.safeParse(event);
        fc.pre(checked.success && canonicalJson(event) !== canonicalJson(events[index]));
        const broken = findBreak(events.with(index, event as AuditEvent), head);
        expect(broken).toBe(
          checked.data?.prev_sha256 !== events[index]?.prev_sha256 ? checked.data?.seq : index + 2,
        );
      }),
      { numRuns: 500 },
    );
  });

  it('notices events that were left out, added or put in another order', () => {
    const { events, head } = trailOf(4);
    expect(findBreak(events.toSpliced(1, 1), head)).toBe(3);
    expect(findBreak(events.slice(0, 3), head)).toBe(4);
    expect(findBreak(events.slice(1), head)).toBe(2);
    expect(findBreak([...events, events[3] ?? expect.fail()], head)).toBe(4);
    expect(
      findBreak(
        [0, 2, 1, 3].map(index => events[index] ?? expect.fail()),
        head,
      ),
    ).toBe(3);
  });
});
