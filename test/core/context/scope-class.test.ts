import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AgentName,
  agentNames,
  classifyScope,
  packCap,
  type ModelCapability,
  scopeClasses,
} from '../../../src/core/context/scope.ts';
import table from '../../../src/core/context/scope-class.json' with { type: 'json' };

type ScopeClass = ReturnType<typeof classifyScope>;

const { plannerCaps } = table;

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
  it.each<[ScopeClass, AgentName, ModelCapability, number]>([
    ['Tiny', 'Planner', 'fast_code', 1200],
    ['Tiny', 'Planner', 'reasoning_high', 1500],
    ['Tiny', 'Planner', 'reasoning_ultra', 1800],
    ['Tiny', 'Planner', 'long_context', 2100],
    ['Tiny', 'Planner', 'cheap_batch', 1050],
    ['Tiny', 'Implementer', 'fast_code', 933],
    ['Tiny', 'Implementer', 'reasoning_high', 1166],
    ['Tiny', 'Implementer', 'reasoning_ultra', 1400],
    ['Small', 'Reviewer', 'reasoning_high', 1600],
    ['Medium', 'Reviewer', 'reasoning_ultra', 3456],
    ['Large', 'Supervisor', 'cheap_batch', 3150],
  ])('for %s, %s, %s is %i', (scope, role, capability, cap) => {
    expect(packCap(scope, role, capability)).toBe(cap);
  });

  it('grows from fast code over high to ultra reasoning, for every scope and role', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...scopeClasses),
        fc.constantFrom(...agentNames),
        (scope, role) => {
          expect(packCap(scope, role, 'fast_code')).toBeLessThan(
            packCap(scope, role, 'reasoning_high'),
          );
          expect(packCap(scope, role, 'reasoning_high')).toBeLessThan(
            packCap(scope, role, 'reasoning_ultra'),
          );
          expect(packCap(scope, role, 'reasoning_high')).toBeLessThanOrEqual(plannerCaps[scope]);
        },
      ),
    );
  });
});
