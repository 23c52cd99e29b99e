import { describe, expect, it } from 'vitest';
import { isLockfile, isManifestOf } from '../../../src/core/languages/lockfiles.ts';
import { isTestPath, kindsOf } from '../../../src/core/languages/path-kinds.ts';

describe('a lockfile', () => {
  it.each([
    ['package-lock.json', 'package.json'],
    ['yarn.lock', 'package.json'],
    ['pnpm-lock.yaml', 'package.json'],
    ['bun.lock', 'package.json'],
    ['bun.lockb', 'package.json'],
    ['deno.lock', 'deno.json'],
    ['uv.lock', 'pyproject.toml'],
    ['poetry.lock', 'pyproject.toml'],
    ['pdm.lock', 'pyproject.toml'],
    ['Pipfile.lock', 'Pipfile'],
    ['Cargo.lock', 'Cargo.toml'],
    ['go.sum', 'go.mod'],
    ['Gemfile.lock', 'Gemfile'],
    ['composer.lock', 'composer.json'],
    ['mix.lock', 'mix.exs'],
    ['pubspec.lock', 'pubspec.yaml'],
    ['flake.lock', 'flake.nix'],
    ['packages.lock.json', 'App.csproj'],
    ['gradle.lockfile', 'build.gradle.kts'],
    ['Podfile.lock', 'Podfile'],
    ['Package.resolved', 'Package.swift'],
    ['conan.lock', 'conanfile.txt'],
    ['.terraform.lock.hcl', 'main.tf'],
  ])('%s is written from %s', (lock, manifest) => {
    const [below, beside] = [`deep/folder/${lock}`, `deep/folder/${manifest}`];
    expect([isLockfile(below), isManifestOf(beside, below)]).toEqual([true, true]);
    expect(kindsOf({ path: below, changedLines: [] }).has('manifest')).toBe(true);
    expect(isLockfile(beside)).toBe(false);
  });

  it.each(['src/lock.ts', 'locks/mutex.go', 'lock.json', 'Manifest.ts'])('%s is none', path => {
    expect(isLockfile(path)).toBe(false);
  });
});

describe('a test of types', () => {
  it('is a test', () => {
    expect(['test-d/a.test-d.ts', 'src/a.test-d.ts'].map(isTestPath)).toEqual([true, true]);
  });
});
