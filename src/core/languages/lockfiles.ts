/** The table of lockfiles: what a package manager writes down of what it chose, and the manifests it reads. */

interface Lockfile {
  /** Name of the file, any case. */
  readonly name: RegExp;
  /** Names of the manifests it is written from, in its folder or above what it covers. */
  readonly manifests: RegExp;
}

const npm = /^package\.json$/;
const python = /^(?:pyproject\.toml|setup\.(?:py|cfg))$/;

const lockfiles: readonly Lockfile[] = [
  { name: /^(?:package-lock|npm-shrinkwrap)\.json$/i, manifests: npm },
  { name: /^(?:yarn\.lock|pnpm-lock\.ya?ml|bun\.lockb?)$/i, manifests: npm },
  { name: /^deno\.lock$/i, manifests: /^(?:deno\.jsonc?|package\.json)$/ },
  { name: /^(?:poetry|uv|pdm|pylock(?:\.[\w-]+)?)\.(?:lock|toml)$/i, manifests: python },
  { name: /^Pipfile\.lock$/i, manifests: /^Pipfile$/ },
  {
    name: /^conda-lock\.ya?ml$|^pixi\.lock$/i,
    manifests: /^(?:environment\.ya?ml|pixi\.toml|pyproject\.toml)$/,
  },
  { name: /^Cargo\.lock$/i, manifests: /^Cargo\.toml$/ },
  { name: /^Gopkg\.lock$/, manifests: /^Gopkg\.toml$/ },
  { name: /^glide\.lock$/, manifests: /^glide\.ya?ml$/ },
  // Written by the tool that copies the packages in.
  { name: /^(?:vendor|Godeps)\.json$/, manifests: /^go\.mod$/ },
  { name: /^go\.(?:work\.)?sum$/i, manifests: /^go\.(?:mod|work)$/ },
  {
    name: /^(?:Gemfile\.lock|gems\.locked)$/i,
    manifests: /^(?:Gemfile|gems\.rb|[^/]+\.gemspec)$/,
  },
  { name: /^composer\.lock$/i, manifests: /^composer\.json$/ },
  { name: /^mix\.lock$/i, manifests: /^mix\.exs$/ },
  { name: /^rebar\.lock$/i, manifests: /^rebar\.config$/ },
  { name: /^pubspec\.lock$/i, manifests: /^pubspec\.ya?ml$/ },
  { name: /^flake\.lock$/i, manifests: /^flake\.nix$/ },
  {
    name: /^packages\.lock\.json$/i,
    manifests: /\.(?:cs|fs|vb)proj$|^Directory\.Packages\.props$/,
  },
  { name: /^paket\.lock$/i, manifests: /^paket\.dependencies$/ },
  {
    name: /^(?:buildscript-)?gradle\.lockfile$/i,
    manifests: /^build\.gradle(?:\.kts)?$|\.versions\.toml$/,
  },
  { name: /^Podfile\.lock$/i, manifests: /^Podfile$/ },
  { name: /^Cartfile\.resolved$/i, manifests: /^Cartfile$/ },
  { name: /^Package\.resolved$/i, manifests: /^Package\.swift$/ },
  { name: /^conan\.lock$/i, manifests: /^conanfile\.(?:py|txt)$/ },
  { name: /^vcpkg-lock\.json$/i, manifests: /^vcpkg\.json$/ },
  { name: /^Manifest\.toml$/, manifests: /^Project\.toml$/ },
  {
    name: /^stack\.yaml\.lock$|^cabal\.project\.freeze$/i,
    manifests: /^(?:stack\.yaml|package\.yaml|cabal\.project|[^/]+\.cabal)$/,
  },
  { name: /^\.terraform\.lock\.hcl$/i, manifests: /\.tf$/ },
  { name: /^(?:Chart|requirements)\.lock$/i, manifests: /^(?:Chart|requirements)\.ya?ml$/ },
  {
    name: /^(?:MODULE\.bazel|maven_install)\.(?:lock|json)$/i,
    manifests: /^(?:MODULE\.bazel|WORKSPACE)$/,
  },
  { name: /^renv\.lock$/i, manifests: /^DESCRIPTION$/ },
  { name: /^dub\.selections\.json$/i, manifests: /^dub\.(?:json|sdl)$/ },
  { name: /^shard\.lock$/i, manifests: /^shard\.yml$/ },
];

export function isLockfile(path: string): boolean {
  return lockfileAt(path) !== undefined;
}

/** Is `manifest` what the lockfile `lock` is written from, by their names alone? */
export function isManifestOf(manifest: string, lock: string): boolean {
  return lockfileAt(lock)?.manifests.test(nameOf(manifest)) ?? false;
}

function lockfileAt(path: string): Lockfile | undefined {
  const name = nameOf(path);
  return lockfiles.find(one => one.name.test(name));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
