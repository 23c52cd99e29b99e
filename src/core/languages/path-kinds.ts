/** What a path says about its file. Hints only: they lower a severity or keep a rule quiet, they never hide a file. */
import { families, type Family } from './languages.ts';

export function familyOf(path: string): Family | null {
  for (const [family, { files }] of Object.entries(families))
    if (files.test(path)) return family as Family;
  return null;
}

export function isTestPath(path: string): boolean {
  return (
    /(?:^|\/)(?:tests?|__tests__|specs?|testing|\w{1,12}test|test[-_]?(?:utils?|helpers?|support)|e2e|cypress|testdata|__mocks__|mocks?|fixtures?|__fixtures__|__snapshots__)\//i.test(
      path,
    ) ||
    /(?:[._-](?:test|spec|e2e|cy)s?\.[A-Za-z]+|_test\.go|Tests?\.(?:java|kt|cs|php|swift)|_spec\.rb)$/.test(
      path,
    ) ||
    /(?:^|\/)(?:(?:test_[^/]*|conftest)\.py|\.env\.(?:test|testing|ci))$/.test(path)
  );
}

export function isFixturePath(path: string): boolean {
  return /(?:^|\/)(?:testdata|__mocks__|fixtures?|__fixtures__|__snapshots__|golden)\/|\.snap$/i.test(
    path,
  );
}

export function isDocumentPath(path: string): boolean {
  return /\.(?:md|mdx|markdown|rst|adoc|txt|html?)$/i.test(path) || /(?:^|\/)docs?\//i.test(path);
}

/** Examples, demonstrations and samples. */
export function isExamplePath(path: string): boolean {
  return (
    /(?:^|\/)(?:examples?|samples?|demos?|tutorials?|playground)\//i.test(path) ||
    /(?:example|sample|template)(?:\.[A-Za-z]+)?$/i.test(path)
  );
}

/** Code that talks to a terminal or serves the project itself: printing is its work. */
export function isToolPath(path: string): boolean {
  return (
    /(?:^|\/)(?:bin|cli|cmd|scripts?|tools?|bench(?:marks?)?|build|ci|\.github|tasks?|commands?|examples?|demos?|docs?|config)\//i.test(
      path,
    ) ||
    /(?:^|\/)(?:cli|main|[^/]*\.config|gulpfile|Gruntfile|[^/]*logger[^/]*|[^/]*-cli)\.[A-Za-z]+$/i.test(
      path,
    )
  );
}

/** Programs that people of the project run on their own machines, with input of their own. */
export function isScriptPath(path: string): boolean {
  return /(?:^|\/)(?:scripts?|tools?|build|ci|\.github|bench(?:marks?)?|migrations?|hack|release)\/|(?:^|\/)(?:build|release|publish|gulpfile|Gruntfile|noxfile|fabfile|setup)\.[a-z]+$/i.test(
    path,
  );
}

/** Files written by a program or copied in: nobody reviews them line by line. */
export function isGeneratedPath(path: string): boolean {
  return /(?:^|\/)(?:node_modules|vendor|third[-_]party|dist|\.yarn|[\w.-]{1,60}-\d+\.\d+(?:\.\d+)?)\/|\.min\.(?:js|css)$|\.(?:pb|generated|gen)\.[A-Za-z]+$|_pb2(?:_grpc)?\.py$|(?:^|\/)(?:package-lock\.json|yarn\.lock|pnpm-lock\.yaml|Cargo\.lock|go\.sum|poetry\.lock|composer\.lock|Gemfile\.lock)$/i.test(
    path,
  );
}
