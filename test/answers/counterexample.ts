import type { RunDetails } from 'fast-check';

/** What refutes a property, as text; null when nothing did. */
export function counterexample<Values>({
  failed,
  counterexample: values,
  errorInstance,
}: RunDetails<Values>): string | null {
  return failed
    ? `${JSON.stringify(values)} ${errorInstance instanceof Error ? (errorInstance.stack ?? '') : ''}`
    : null;
}
