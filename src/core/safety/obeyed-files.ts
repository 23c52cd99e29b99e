/**
 * Files that programs obey without being asked: what steers coding agents and tools, hooks, what CI runs, what an installation
 * runs. A change of one of them decides what happens on the machines of other people, whatever its reviewers think of it.
 */
import { z } from 'zod';
import { isExamplePath } from '../languages/path-kinds.ts';
import type { Reason } from '../verdict/record.ts';
import { addedLinesOf } from '../integrity/added-lines.ts';
import type { Change, ChangedFile } from '../words/change.ts';
import { foldPath } from './path-overlap.ts';
import { makeVisible } from './visible-text.ts';

type Obeyed = 'agents' | 'tools' | 'hooks' | 'ci' | 'installation' | 'jury';

/** By the name of the file or of a folder it lies in, in small letters. */
const names: Readonly<Record<Obeyed, RegExp>> = {
  agents:
    /^(?:(?:claude|agents|gemini|qwen)(?:\.[\w-]+)?\.md|\.mcp\.json|\.agents|\.codex|\.gemini|\.copilot|\.amazonq|\.kiro|\.opencode|\.qwen|\.continue|\.clinerules|\.roo[\w-]*|\.claude.*|\.cursor.*|opencode\.jsonc?|\.aider.*|\.windsurf.*|\.goosehints)$/,
  tools:
    /^(?:\.npmrc|\.yarnrc.*|\.pnpmfile\.[cm]?js|bunfig\.toml|\.ripgreprc|\.vscode|\.idea|\.devcontainer.*|\.?mise\.toml|\.envrc|\.env(?:\..+)?|\.gitattributes|\.gitmodules|\.gitconfig)$/,
  hooks:
    /^(?:\.husky|\.?git-?hooks|\.pre-commit-(?:config|hooks)\.ya?ml|\.?lefthook(?:-local)?\.(?:ya?ml|toml|json)|\.lefthook)$/,
  ci: /^(?:\.circleci|\.buildkite|\.woodpecker|\.ci|\.teamcity|\.semaphore|\.(?:gitlab-ci|travis|drone|woodpecker|appveyor|cirrus).*\.ya?ml|(?:azure-pipelines|bitbucket-pipelines|appveyor|cloudbuild|buildspec).*\.ya?ml|jenkinsfile.*)$/,
  installation: /^(?:setup\.py|build\.rs|binding\.gyp|extconf\.rb)$/,
  jury: /^(?:jury\.config\.(?:ya?ml|json)|jury\.baseline\.json|\.juryignore)$/,
};

/** Where the whole way counts: hosts read their own folder at the top alone, and git runs files of certain names. */
const places: Readonly<Partial<Record<Obeyed, RegExp>>> = {
  agents: /^\.github\/(?:copilot-|(?:instructions|prompts|agents|chatmodes|skills)\/)/,
  tools: /(?:^|\/)(?:\.yarn\/(?:plugins|releases)\/|\.cargo\/config(?:\.toml)?$)/,
  hooks:
    /(?:^|\/)(?:pre-(?:commit|push|rebase|merge-commit|receive|auto-gc|applypatch)|post-(?:commit|checkout|merge|rewrite|receive|update|applypatch)|commit-msg|prepare-commit-msg|applypatch-msg|fsmonitor-watchman)(?:\.(?:sh|bash|py|rb|pl|[cm]?js))?$/,
  ci: /^\.(?:github|gitea|forgejo)\/(?:workflows\/[^/]+\.ya?ml$|actions\/)|(?:^|\/)action\.ya?ml$/,
};

const describes: Readonly<Record<Obeyed, string>> = {
  agents: 'steers coding agents',
  tools: 'configures tools that obey it unasked',
  hooks: 'is run by git or names what is',
  ci: 'says what CI runs',
  installation: 'is run when this is built or installed',
  jury: "is one of Jury's own files, of which the base decides meanwhile",
};

const order: readonly Obeyed[] = ['jury', 'agents', 'tools', 'hooks', 'ci', 'installation'];

/** Who obeys it; null for an ordinary file. What lies in `.env.example` and the like is shown, not obeyed. */
function obeyedBy(path: string): Obeyed | null {
  const folded = foldPath(path);
  const parts = folded.split('/');
  if ((parts.at(-1) ?? '').startsWith('.env') && isExamplePath(folded)) return null;
  if (pageAboutAgents.test(path)) return null;
  return (
    order.find(
      kind => parts.some(part => names[kind].test(part)) || places[kind]?.test(folded) === true,
    ) ?? null
  );
}

/** A page of the documentation that is called so, in small letters: what agents look for is written in capitals. */
const pageAboutAgents = /(?:^|\/)docs?\/(?:[^/]+\/)*(?:agents|claude|gemini|qwen)\.md$/;

export function isManifestWithScripts(path: string): boolean {
  return foldPath(path).split('/').at(-1) === 'package.json';
}

/** Both sides of a manifest; null where a side is missing or cannot be read. */
export interface ManifestTexts {
  readonly before: string | null;
  readonly after: string | null;
}

export interface Asked {
  /** Paths that a person is asked about anyway, or that somebody has allowed as they stand. */
  readonly settled: ReadonlySet<string>;
  /** Of the files that `isManifestWithScripts` names, by path. */
  readonly manifests: ReadonlyMap<string, ManifestTexts>;
  /** Other names of changed files, through links; `many`: more than can be told. */
  readonly names: ReadonlyMap<string, readonly string[] | 'many'>;
}

/**
 * What a person must look at whatever the reviewers say, and what nobody can read because it lies elsewhere. Whole files to
 * review change nothing. In the order of the change.
 */
export function reasonsToAsk(change: Change, { settled, manifests, names }: Asked): Reason[] {
  if (change.source === 'files') return [];
  return change.files.flatMap(file => {
    if (isPointer(file)) return [unreadPointer(file)];
    const why = settled.has(file.path)
      ? null
      : whyAsked(file, manifests.get(file.path) ?? null, names.get(file.path) ?? []);
    return why === null
      ? []
      : [
          {
            rule: 'require-human' as const,
            effect: 'INCOMPLETE' as const,
            subject: file.path,
            sentence:
              `require-human: ${makeVisible(file.path)} ${why}. A person must look at ` +
              `${file.status === 'deleted' ? 'its removal' : 'its change'}.`,
          },
        ];
  });
}

function whyAsked(
  file: ChangedFile,
  manifest: ManifestTexts | null,
  others: readonly string[] | 'many',
): string | null {
  const isGone = file.status === 'deleted';
  const sides = file.oldPath === null || file.status === 'copied' ? [] : [file.oldPath];
  for (const place of [file.path, ...sides, ...(others === 'many' ? [] : others)]) {
    const kind = obeyedBy(place);
    const through = sides.includes(place) || place === file.path ? '' : throughLink(place);
    if (kind !== null && !(isGone && kind === 'installation'))
      return `${through}${describes[kind]}`;
    if (isGone || sides.includes(place) || !isManifestWithScripts(place)) continue;
    const scripts = newInstallScripts(file, manifest);
    if (scripts.length > 0)
      return `${through}has a new or changed install script (${scripts.join(', ')})`;
  }
  return others === 'many' ? 'has more names through links than can be followed' : null;
}

function throughLink(place: string): string {
  return `is ${makeVisible(place)} through a link and `;
}

function isPointer({ content, newMode }: ChangedFile): boolean {
  return content === 'submodule' && newMode === '160000';
}

function unreadPointer({ path, oldMode, oldId, newId }: ChangedFile): Reason {
  const step =
    oldMode === '160000'
      ? `moves from ${oldId.slice(0, 12)} to ${newId.slice(0, 12)}`
      : `is added at ${newId.slice(0, 12)}`;
  return {
    rule: 'unread',
    effect: 'INCOMPLETE',
    subject: path,
    sentence: `The submodule ${makeVisible(path)} ${step}, and nobody has read what it holds.`,
    object: newId,
  };
}

const lifecycle = [
  'preinstall',
  'install',
  'postinstall',
  'prepublish',
  'preprepare',
  'prepare',
  'postprepare',
] as const;

/** Without its whole text the added lines must do, and whatever looks like such a script is one. */
function newInstallScripts(file: ChangedFile, manifest: ManifestTexts | null): string[] {
  const after = scriptsIn(manifest?.after ?? null);
  if (after === null) {
    const added = addedLinesOf(file).map(({ text }) => text);
    return lifecycle.filter(name => added.some(line => line.includes(`"${name}"`)));
  }
  const before = scriptsIn(manifest?.before ?? null) ?? {};
  return lifecycle.filter(name => after[name] !== undefined && after[name] !== before[name]);
}

const Manifest = z.object({ scripts: z.record(z.string(), z.unknown()).catch({}) });

/** Null for what is no manifest. Values are compared as text: one that is no string runs nothing. */
function scriptsIn(text: string | null): Readonly<Record<string, string | undefined>> | null {
  const checked = Manifest.safeParse(parsed(text));
  if (!checked.success) return null;
  return Object.fromEntries(
    Object.entries(checked.data.scripts).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );
}

function parsed(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return null;
  }
}
