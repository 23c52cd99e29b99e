/** What is risky about a change, from the change itself and the tree behind it: each with its place and what it was read from. */
import { changedTextOf } from './changed-lines.ts';
import { findChangedNames } from './changed-name-risks.ts';
import { findChangedDefaults } from './changed-defaults.ts';
import { findDependencies } from './dependencies.ts';
import { findGenerated } from './generated.ts';
import { findLargeDeletions } from './large-deletions.ts';
import { findLoosened } from './loosened.ts';
import { findMigrations } from './migrations.ts';
import { findRemovedAssertions } from './removed-assertions.ts';
import { findRemovedGuards } from './removed-guards.ts';
import { type Risk, riskKinds, type RiskMaterial } from './risk.ts';
import { findSecrets, findSensitive } from './sensitive.ts';
import { findSkippedTests } from './skipped-tests.ts';
import { findUntested } from './untested.ts';
import { findWorkflows } from './workflows.ts';

/** Gravest kind first, within a kind in the order of the change. */
export function computeRisks(material: RiskMaterial): readonly Risk[] {
  const texts = material.files
    .filter(({ content }) => content === 'text')
    .map(file =>
      changedTextOf(file, {
        before: material.oldLinesOf(file.oldPath ?? file.path),
        after: material.linesOf(file.path),
      }),
    );
  const read = texts.filter(({ path }) => !material.skipped.has(path));
  return [
    ...findSecrets(material),
    ...findRemovedGuards(read, material),
    ...findMigrations(read),
    ...findChangedNames(texts, material),
    ...findGenerated(material),
    ...findSensitive(read),
    ...findWorkflows(texts),
    ...findDependencies(texts, material),
    ...findRemovedAssertions(read, material),
    ...findLoosened(read),
    ...findChangedDefaults(read),
    ...findSkippedTests(read, material),
    ...findLargeDeletions(read, material),
    ...findUntested(read, material),
  ].toSorted((one, other) => rankOf(one) - rankOf(other));
}

function rankOf({ kind }: Risk): number {
  return riskKinds.indexOf(kind);
}
