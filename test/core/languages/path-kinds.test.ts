import { describe, expect, it } from 'vitest';
import { isTestPath, kindsOf } from '../../../src/core/languages/path-kinds.ts';

const isTestKind = (path: string): boolean => kindsOf({ path, changedLines: [] }).has('test');

describe('a folder or a file of tests, by its name', () => {
  it.each([
    'src/UnitTests/Mapping.cs',
    'Src/Shop.UnitTests/Cart.cs',
    'Src/Shop.Test/Cart.cs',
    'paymentTests/cart.py',
    'Shop/CartIntegrationTests/src/cart.ts',
    'my_Tests/cart.c',
    'Shop/UITests/Cart.swift',
    'reg-tests/ssl/cart.c',
    'integration_tests/cart.rb',
    'src/CartTest.cpp',
    'lib/CartTests.swift',
  ])('%s is one', path => {
    expect([isTestPath(path), isTestKind(path)]).toEqual([true, true]);
  });

  it.each(['unittest/cart.py', 'httptest/server.go'])('%s is one', path => {
    expect(isTestPath(path)).toBe(true);
  });

  it.each([
    'app/latest/cart.py',
    'src/contest/entry.rb',
    'src/Contest/Entry.cs',
    'src/attest/key.rs',
    'src/Latest/Cart.cs',
    'src/Latest.cs',
    'src/RequestTester/cart.ts',
    'src/SpeedTest.tsx',
    'src/ab-test/cart.ts',
    'src/split_tests/cart.rb',
  ])('%s is none', path => {
    expect([isTestPath(path), isTestKind(path)]).toEqual([false, false]);
  });
});
