/** `plan.json` of a run folder: sealed, so that what is read back is what was written, and nothing else is a plan. */
import { sha256 } from '../adapters/system/ids.ts';
import { parseJson, toJsonText } from '../core/json.ts';
import type { Plan } from '../core/words/plan.ts';

export function sealPlan(plan: Plan): string {
  return toJsonText({ ...plan, seal: sealOf(plan) });
}

/** Null for the plan of another kind of run, and for one of another version, of another run, or that is damaged. */
export function openPlan(text: string | null, run: string): Plan | null {
  const read = parseJson(text);
  if (typeof read !== 'object' || read === null || !('seal' in read)) return null;
  const { seal, ...plan } = read;
  return seal === sealOf(plan) && isPlan(plan) && plan.run === run ? plan : null;
}

/** Of whatever else lies under the seal a plan of this schema was made. */
function isPlan(sealed: object): sealed is Plan {
  return 'schema' in sealed && sealed.schema === 'jury.plan/2';
}

function sealOf(plan: object): string {
  return sha256(JSON.stringify(plan));
}
