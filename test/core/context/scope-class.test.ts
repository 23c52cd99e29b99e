import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  classifyScope,
  packCap,
  plannerCaps,
  type ModelCapability,
  type PackRole,
  type ScopeClass,
} from '../../../src/core/context/scope-class.ts';

const classes = Object.keys(plannerCaps) as ScopeClass[];
const roles: readonly PackRole[] = [
  'planner',
  'thinker',
  'implementer',
  'verifier',
  'reviewer',
  'critical',
  'supervisor',
];

describe('the class of a scope', () => {
  it.each([
    [2, 80, 1, 'Tiny'],
    [2, 81, 1, 'Small'],
    [3, 10, 1, 'Small'],
    [6, 5000, 1, 'Small'],
    [7, 1, 1, 'Medium'],
    [12, 9999, 3, 'Medium'],
    [13, 1, 1, 'Large'],
    [4, 10, 2, 'Medium'],
    [4, 10, 4, 'Large'],
    [2, 80, 2, 'Tiny'],
    [3, 10, null, 'Small'],
  ] as const)(
    'of %i files, %i lines and %s modules is %s',
    (files, changed_lines, modules, name) => {
      expect(classifyScope({ files, changed_lines, modules })).toBe(name);
    },
  );
});

describe('the cap of a pack', () => {
  it.each<[ScopeClass, PackRole, ModelCapability, number]>([
    ['Tiny', 'planner', 'fast_code', 1200],
    ['Tiny', 'planner', 'reasoning_high', 1500],
    ['Tiny', 'planner', 'reasoning_ultra', 1800],
    ['Tiny', 'planner', 'long_context', 2100],
    ['Tiny', 'planner', 'cheap_batch', 1050],
    ['Tiny', 'implementer', 'fast_code', 933],
    ['Tiny', 'implementer', 'reasoning_high', 1166],
    ['Tiny', 'implementer', 'reasoning_ultra', 1400],
    ['Small', 'reviewer', 'reasoning_high', 1600],
    ['Medium', 'reviewer', 'reasoning_ultra', 3456],
    ['Large', 'supervisor', 'cheap_batch', 3150],
  ])('for %s, %s, %s is %i', (scope, role, capability, cap) => {
    expect(packCap(scope, role, capability)).toBe(cap);
  });

  it('grows from fast code over high to ultra reasoning, for every scope and role', () => {
    fc.assert(
      fc.property(fc.constantFrom(...classes), fc.constantFrom(...roles), (scope, role) => {
        expect(packCap(scope, role, 'fast_code')).toBeLessThan(
          packCap(scope, role, 'reasoning_high'),
        );
        expect(packCap(scope, role, 'reasoning_high')).toBeLessThan(
          packCap(scope, role, 'reasoning_ultra'),
        );
        expect(packCap(scope, role, 'reasoning_high')).toBeLessThanOrEqual(plannerCaps[scope]);
      }),
    );
  });
});
