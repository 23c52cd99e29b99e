/** What is known inside one function: values of names, and what a condition has looked at. */
import type { Value } from './value.ts';

export interface Scope {
  readonly outer: Scope | null;
  /** Name of the function and the lines above it; empty outside of functions. */
  readonly name: string;
  readonly heading: string;
  readonly values: Map<string, Value>;
  /** Names and sources, as written, that a condition has held against something. */
  readonly checked: Set<string>;
  /** How many branches around the statement. */
  branches: number;
}

export function openScope(outer: Scope | null, name: string, heading: string): Scope {
  return { outer, name, heading, values: new Map(), checked: new Set(), branches: 0 };
}

export function valueOf(scope: Scope, name: string): Value | null {
  for (let at: Scope | null = scope; at !== null; at = at.outer) {
    if (at.checked.has(name)) return null;
    const value = at.values.get(name);
    if (value !== undefined)
      return value.taint !== null && isChecked(scope, value.taint.origin) ? null : value;
  }
  return null;
}

export function isChecked(scope: Scope, text: string): boolean {
  for (let at: Scope | null = scope; at !== null; at = at.outer)
    if (at.checked.has(text)) return true;
  return false;
}

/** In a branch a fixed value is one of two: what was there may still be. */
export function assign(scope: Scope, name: string, value: Value): void {
  const known = scope.values.get(name);
  if (value.taint === null && value.text !== null && scope.branches > 0 && known?.taint) return;
  scope.values.set(name, value);
  scope.checked.delete(name);
}
