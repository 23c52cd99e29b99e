/** What a recommendation rests on: proven only by a run that failed, the fix, a run that passed and the coverage of both. */
import { z } from 'zod';

export const artifactKinds = ['failing_run', 'fix', 'passing_run', 'coverage', 'diff', 'log'] as const;
/** All four are needed. */
const proof = ['failing_run', 'fix', 'passing_run', 'coverage'] as const satisfies readonly (typeof artifactKinds)[number][];

export const Evidence = z.array(
  z.looseObject({
    recommendation_id: z.string().min(1),
    text: z.string(),
    artifacts: z.array(z.looseObject({ kind: z.enum(artifactKinds), ref: z.string().min(1), rev: z.string().nullish() })),
    state: z.enum(['proven', 'unproven']).optional(),
  }),
);
export type Evidence = z.infer<typeof Evidence>;

export interface JudgedEvidence {
  readonly recommendations: readonly { readonly recommendation_id: string; readonly text: string; readonly state: 'proven' | 'unproven'; readonly missing: readonly string[] }[];
  /** Recommendations without any artifact: reports leave them out. */
  readonly dropped: number;
}

/** `holds` tells whether a reference resolves and, where a revision is given, still has that content. The stated state counts for nothing. */
export async function judgeEvidence(evidence: Evidence, holds: (ref: string, rev: string | null) => Promise<boolean>): Promise<JudgedEvidence> {
  const backed = evidence.filter(({ artifacts }) => artifacts.length > 0);
  const recommendations = await Promise.all(backed.map(async ({ recommendation_id, text, artifacts }) => {
    const standing = await Promise.all(artifacts.map(async ({ kind, ref, rev }) => ((await holds(ref, rev ?? null)) ? kind : null)));
    const missing = proof.filter(kind => !standing.includes(kind));
    return { recommendation_id, text, state: missing.length === 0 ? ('proven' as const) : ('unproven' as const), missing };
  }));
  return { recommendations, dropped: evidence.length - backed.length };
}
