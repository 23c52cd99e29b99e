import { describe, expect, it } from 'vitest';
import {
  isLockfile,
  isManifestOf,
  isTestPath,
  kindsOf,
} from '../../../src/core/languages/languages.ts';

const isTestKind = (path: string) => kindsOf({ path, changedLines: [] }).has('test');

describe('a folder or a file of tests, by its name', () => {
  it.each(
    (
      'src/UnitTests/Mapping.cs Src/Shop.UnitTests/Cart.cs Src/Shop.Test/Cart.cs paymentTests/cart.py ' +
      'Shop/CartIntegrationTests/src/cart.ts my_Tests/cart.c Shop/UITests/Cart.swift reg-tests/ssl/cart.c ' +
      'integration_tests/cart.rb src/CartTest.cpp lib/CartTests.swift unittest/cart.py httptest/server.go ' +
      'test-d/a.test-d.ts src/a.test-d.ts'
    ).split(' '),
  )('%s is one', path => expect([isTestPath(path), isTestKind(path)]).toEqual([true, true]));

  it.each(
    (
      'app/latest/cart.py src/contest/entry.rb src/Contest/Entry.cs src/attest/key.rs src/Latest/Cart.cs ' +
      'src/Latest.cs src/RequestTester/cart.ts src/SpeedTest.tsx src/ab-test/cart.ts src/split_tests/cart.rb'
    ).split(' '),
  )('%s is none', path => expect([isTestPath(path), isTestKind(path)]).toEqual([false, false]));
});

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

  it.each(['src/lock.ts', 'locks/mutex.go', 'lock.json', 'Manifest.ts'])('%s is none', path =>
    expect(isLockfile(path)).toBe(false),
  );
});
