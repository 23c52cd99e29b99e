import { describe, expect, it } from 'vitest';
import { firstCodeLine, synopsisOf } from '../../../../src/core/context/packing/micro-summary.ts';

const licence = ['/*!', ' * thing', ' * Copyright(c) 2009 Somebody', ' * MIT Licensed', ' */', ''];

describe('what a file says of itself', () => {
  it.each([
    [
      'stands behind its licence',
      [...licence, "'use strict';", '', '/**', ' * Reads requests.', ' */', '', 'code();'],
      { start: 9, end: 11 },
    ],
    ['is no licence', [...licence, 'code();'], null],
    [
      'is no heading that fits any file',
      [...licence, '/**', ' * Module dependencies.', ' * @private', ' */', '', 'code();'],
      null,
    ],
    [
      'is the text at the top of a module',
      ['#!/usr/bin/env python', '"""Reads requests."""', 'import os'],
      { start: 2, end: 2 },
    ],
    [
      'is the text above the first blank line',
      ['"""Reads', 'requests."""', '', 'import os'],
      { start: 1, end: 2 },
    ],
    ['is not what stands above a definition', ['', '// Adds two.', 'function add() {}'], null],
  ])('%s', (_, lines, range) => {
    expect(synopsisOf(lines)).toEqual(range);
  });

  it('begins with its first line of code', () => {
    expect(firstCodeLine([...licence, "const a = require('a');"])).toBe(7);
    expect(firstCodeLine(['// only words'])).toBe(1);
  });
});
