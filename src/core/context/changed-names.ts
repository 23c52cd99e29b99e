/** Names whose definition a change removes or gives another signature. */
export interface ChangedName {
  readonly name: string;
  readonly kind: string;
  /** On the old side. */
  readonly path: string;
  readonly line: number;
  readonly change: 'removed' | 'signature';
  readonly before: string;
  readonly after: string | null;
  /** Users that remain in the new tree, outside of the change. */
  readonly users: readonly { readonly path: string; readonly line: number }[];
}
