/** Names that are gone or are called in another way, with who still uses them, and what of it others see. */
import type { ChangedName } from '../changed-names.ts';
import { countOf, listPlaces, quote, type Risk, type RiskMaterial } from './risk.ts';

const mostPlaces = 3;

export function findChangedNames({ names, view }: RiskMaterial): Risk[] {
  return names.flatMap(one => {
    if (view.isTest(one.path)) return [];
    const isOpen = isPublic(one);
    if (one.users.length === 0 && !isOpen) return [];
    return [riskOf(one, isOpen)];
  });
}

function riskOf(changed: ChangedName, isOpen: boolean): Risk {
  const { name, path, line, change, before, after, users } = changed;
  const used =
    users.length === 0
      ? ''
      : `; ${countOf(users.length, 'use')} outside of the change ${users.length === 1 ? 'remains' : 'remain'}: ${listPlaces(users, mostPlaces)}`;
  const what =
    change === 'removed'
      ? `${name} is gone from ${path} (was line ${line})`
      : `${path}:${line} ${name} has another signature: ${quote(before)} is now ${quote(after ?? '')}`;
  return {
    kind: users.length === 0 ? 'public-api' : change === 'removed' ? 'removed-name' : 'signature',
    path,
    line,
    sentence: `${what}${isOpen ? '; it is part of the public interface' : ''}${used}`,
    evidence: [before, ...(after === null ? [] : [after])],
    action:
      users.length === 0
        ? `Check who outside of the project uses ${name}: it was ${quote(before)}`
        : `Check the ${countOf(users.length, change === 'removed' ? 'use' : 'caller')} of ${name}: ${listPlaces(users, mostPlaces)}`,
  };
}

/** By what the languages write in front of what others may use, and the folders they keep to themselves. */
function isPublic({ name, path, before, kind }: ChangedName): boolean {
  if (
    kind === 'test' ||
    /(?:^|\/)(?:internal|_[^/]+|private|examples?|samples?|scripts?|bench(?:marks?)?)\//.test(
      path,
    ) ||
    name.startsWith('_')
  )
    return false;
  if (/\.go$/.test(path)) return /^[A-Z]/.test(name) && !/(?:^|\/)(?:cmd|main)\//.test(path);
  if (/\.py$/.test(path))
    return /^(?:async\s+def|def|class)\b/.test(before) && !/\(self\b|\(cls\b/.test(before);
  if (/\.rs$/.test(path)) return /^pub\s+(?!\()/.test(before);
  if (/\.(?:java|cs|php)$/.test(path)) return /\bpublic\b/.test(before);
  return /^export\b|^(?:module\.)?exports\b/.test(before);
}
