/** The five questions a panel can be asked: what each needs, asks for, accepts as labels and is called in a report. */
import { severityOf, type LabelScale, type Severity } from './finding.ts';

export const modeNames = [
  'code-review',
  'general-prompt',
  'debugging',
  'architecture',
  'verification',
] as const;
export type ModeName = (typeof modeNames)[number];

interface Mode {
  readonly title: string;
  /** Labels of the answer lines, heaviest first. */
  readonly labels: readonly string[];
  /** Labels that make findings. `PASS` makes none: it is a vote. */
  readonly scale: LabelScale;
  /** Flags of `multi-consensus` without which the question cannot be put, in the order they are asked for. */
  readonly required: readonly string[];
  /** What one finding is called in the worked examples. */
  readonly noun: 'issue' | 'point';
  /** Personas for reviewers that were given none, handed out in turn. Empty: they keep the default one. */
  readonly personas: readonly string[];
  /** Does the answer state a verdict? */
  readonly asksForVerdict: boolean;
  /** May an answer line carry `path:line` in the middle? */
  readonly asksForPlace: boolean;
  /** What the reviewer is asked to do. */
  readonly question: string;
}

const reviewLabels = ['CRITICAL', 'IMPORTANT', 'SUGGESTION'];
const pointLabels = ['STRONG', 'MODERATE', 'WEAK'];

/** What a design is held against, in this order. */
const architectureChecklist = [
  'requirements met',
  'structural flaws',
  'over-engineering',
  'coupling',
  'data integrity',
  'failure handling',
  'security',
  'operability',
  'maintainability',
  'testability',
] as const;

const issues = { labels: reviewLabels, scale: scaleOfKnown(reviewLabels), noun: 'issue' } as const;
const points = {
  labels: pointLabels,
  scale: scaleOfKnown(pointLabels),
  noun: 'point',
  required: ['--prompt'],
  asksForVerdict: false,
  asksForPlace: false,
} as const;

export const modes: Readonly<Record<ModeName, Mode>> = {
  'code-review': {
    ...issues,
    title: '# Code Review Consensus Report',
    personas: [],
    required: ['--base-sha', '--head-sha'],
    asksForVerdict: true,
    asksForPlace: true,
    question:
      'Review the change above. Report the issues you find in the diff, judged against the plan and the description.',
  },
  'general-prompt': {
    ...points,
    title: '# General Prompt Consensus Report',
    personas: ['advisor'],
    question: 'Answer the question above. Report its strong, moderate and weak points.',
  },
  debugging: {
    ...points,
    title: '# Debugging Consensus Report',
    personas: ['debugger'],
    question:
      'Explain the symptom above. Report hypotheses about the root cause. Each names its evidence and the check that would refute it.',
  },
  architecture: {
    ...issues,
    title: '# Architecture Consensus Report',
    personas: ['architect'],
    required: ['--prompt'],
    asksForVerdict: false,
    asksForPlace: false,
    question: `Criticise the design above. Go through this checklist and report what you find: ${architectureChecklist.join(', ')}.`,
  },
  verification: {
    title: '# Verification Consensus Report',
    personas: ['verifier'],
    labels: ['PASS', 'FAIL'],
    scale: new Map<string, Severity>([['FAIL', 'critical']]),
    required: ['--prompt'],
    noun: 'issue',
    asksForVerdict: false,
    asksForPlace: false,
    question:
      'Judge every numbered criterion above, each on one line: PASS with its number, or FAIL with its number and the reason.',
  },
};

/** A mode by its name, or by the short word that `jury ask` takes: `general`. Null when nobody knows it. */
export function modeNamed(word: string) {
  return (
    modeNames.find(name => name === word || (word === 'general' && name === 'general-prompt')) ??
    null
  );
}

function scaleOfKnown(labels: readonly string[]) {
  return new Map(labels.map(label => [label, severityOf(label) ?? 'low']));
}
