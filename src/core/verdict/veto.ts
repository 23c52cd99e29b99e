/**
 * What a reviewer's findings and its own word come to: VETO, WARN or OK. A veto is found by the criteria of its persona or
 * claimed with grounds; claimed without them it is a warning.
 */
import type { Finding } from '../words/finding.ts';
import { criteriaOf, type Persona, type VetoCriterion } from '../words/persona.ts';
import { isAtLeast } from '../words/severity.ts';
import { present } from '../present.ts';

export const panelVerdicts = ['VETO', 'WARN', 'OK'] as const;
export type PanelVerdict = (typeof panelVerdicts)[number];

export interface VerdictRequest {
  readonly persona: Pick<Persona, 'role' | 'veto' | 'criteria'>;
  readonly findings: readonly Pick<Finding, 'severity' | 'category' | 'extra' | 'location'>[];
  /** As the reviewer wrote it; null when it stated none. */
  readonly claimed: string | null;
  readonly vetoReasons: readonly string[];
}

interface JudgedVerdict {
  readonly verdict: PanelVerdict;
  /** Null when nothing that is a verdict was claimed. */
  readonly claimed: PanelVerdict | null;
  /** A veto was claimed without the power or the grounds for it. */
  readonly veto_downgraded: boolean;
}

/** First match: veto, warning, otherwise OK. */
export function judgeVerdict({
  persona,
  findings,
  claimed: stated,
  vetoReasons,
}: VerdictRequest): JudgedVerdict {
  const claimed = readClaimedVerdict(stated);
  const facts = findings.map(factsOf);
  const isGrave = facts.some(({ severity }) => isAtLeast(severity, 'high'));
  const isGrounded =
    claimed === 'VETO' && (isGrave || vetoReasons.some(reason => reason.trim() !== ''));
  const criteria = criteriaOf(persona);
  const isMet = facts.some(fact => criteria.some(criterion => meetsCriterion(fact, criterion)));
  if (persona.veto && (isGrounded || isMet))
    return { verdict: 'VETO', claimed, veto_downgraded: false };
  const isDowngraded = claimed === 'VETO';
  return {
    verdict: isGrave || isDowngraded || claimed === 'WARN' ? 'WARN' : 'OK',
    claimed,
    veto_downgraded: isDowngraded,
  };
}

const words: Readonly<Record<string, PanelVerdict>> = {
  VETO: 'VETO',
  WARN: 'WARN',
  OK: 'OK',
  APPROVE: 'OK',
  REQUEST_CHANGES: 'WARN',
};

/** The other vocabularies in ours: APPROVE is OK, REQUEST_CHANGES is WARN. Null for any other word. */
export function readClaimedVerdict(stated: string | null): PanelVerdict | null {
  const word = (stated ?? '').trim().toUpperCase().replace(/[ -]/g, '_');
  return Object.hasOwn(words, word) ? (words[word] ?? null) : null;
}

interface Facts {
  readonly severity: Finding['severity'];
  /** Lower case, words joined by dashes. */
  readonly category: string;
  readonly flags: ReadonlySet<string>;
}

/** A place that was not found is no ground for a veto: what hangs on it is taken away. */
function factsOf({ severity, category, extra, location }: VerdictRequest['findings'][number]) {
  const isFound = location?.anchoring !== 'unanchored';
  const cve = typeof extra?.cve === 'string' && extra.cve.trim() !== '';
  const flags = present(
    ...['exploit_path', 'known_exploit'].filter(name => isFound && extra?.[name] === true),
    extra?.direct === true && 'direct',
    cve && 'cve',
  );
  return {
    severity: isFound || severity !== 'critical' ? severity : 'high',
    category: isFound
      ? (category ?? '')
          .trim()
          .toLowerCase()
          .replace(/[\s_/]/g, '-')
      : '',
    flags: new Set(flags),
  };
}

function meetsCriterion(
  facts: Facts,
  { severity, category, words: wanted = [], flags = [] }: VetoCriterion,
) {
  return (
    (severity === undefined || facts.severity === severity) &&
    (category === undefined || facts.category === category) &&
    wanted.every(word => facts.category.includes(word)) &&
    flags.every(flag => facts.flags.has(flag))
  );
}
