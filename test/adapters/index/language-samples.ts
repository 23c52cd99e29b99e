/** One small file of every language with a grammar, and what the index must find in it. */

export interface LanguageSample {
  readonly path: string;
  readonly language: string;
  readonly text: string;
  /** `kind name start-end` */
  readonly definitions: readonly string[];
  /** `name:line` */
  readonly calls: readonly string[];
  readonly imports: readonly string[];
}

export const languageSamples: readonly LanguageSample[] = [
  {
    path: 'a.ts',
    language: 'typescript',
    text: "import { b } from './b.ts';\nexport interface Shape {\n  area(): number;\n}\nexport type Id = string;\nenum Color { Red }\nexport const limit = 3;\nexport class Box implements Shape {\n  area() {\n    return measure(limit);\n  }\n}\nexport const make = () => new Box();\n",
    definitions: [
      'interface Shape 2-4',
      'method area 3-3',
      'type Id 5-5',
      'enum Color 6-6',
      'field Red 6-6',
      'constant limit 7-7',
      'class Box 8-12',
      'method area 9-11',
      'function make 13-13',
    ],
    calls: ['measure:10', 'Box:13'],
    imports: ['./b.ts'],
  },
  {
    path: 'a.js',
    language: 'javascript',
    text: "const fs = require('fs');\nfunction one() {\n  return two();\n}\nexports.three = function () {\n  fs.read();\n};\n",
    definitions: ['constant fs 1-1', 'function one 2-4', 'function three 5-7'],
    calls: ['two:3', 'read:6'],
    imports: ['fs'],
  },
  {
    path: 'a.tsx',
    language: 'tsx',
    text: "import React from 'react';\nexport function Page() {\n  return <Button onClick={go} />;\n}\n",
    definitions: ['function Page 2-4'],
    calls: ['Button:3'],
    imports: ['react'],
  },
  {
    path: 'a.py',
    language: 'python',
    text: 'import os.path\nfrom .near import thing\nLIMIT = 3\nclass Box:\n    def area(self):\n        return measure(self.side())\n',
    definitions: ['constant LIMIT 3-3', 'class Box 4-6', 'function area 5-6'],
    calls: ['measure:6', 'side:6'],
    imports: ['os.path', '.near'],
  },
  {
    path: 'a.go',
    language: 'go',
    text: 'package a\nimport "fmt"\ntype Box struct {\n\tSide int\n}\ntype Shape interface{ Area() int }\nfunc (b Box) Area() int {\n\tfmt.Println(measure(b))\n\treturn 1\n}\nfunc New() Box { return Box{} }\n',
    definitions: [
      'class Box 3-5',
      'field Side 4-4',
      'interface Shape 6-6',
      'method Area 6-6',
      'method Area 7-10',
      'function New 11-11',
    ],
    calls: ['Println:8', 'measure:8'],
    imports: ['fmt'],
  },
  {
    path: 'A.java',
    language: 'java',
    text: 'import b.C;\npublic class A {\n  enum E { X }\n  A() { }\n  int area() {\n    return measure(new C());\n  }\n}\n',
    definitions: ['class A 2-8', 'enum E 3-3', 'field X 3-3', 'method A 4-4', 'method area 5-7'],
    calls: ['measure:6', 'C:6'],
    imports: ['b.C'],
  },
  {
    path: 'a.rb',
    language: 'ruby',
    text: "require 'set'\nmodule Shapes\n  class Box\n    SIDE = 2\n    def area\n      measure(SIDE)\n    end\n    def self.make\n      puts.to_s\n    end\n  end\nend\n",
    definitions: [
      'module Shapes 2-12',
      'class Box 3-11',
      'constant SIDE 4-4',
      'method area 5-7',
      'method make 8-10',
    ],
    calls: ['measure:6', 'to_s:9'],
    imports: ['set'],
  },
  {
    path: 'a.rs',
    language: 'rust',
    text: 'use std::fmt::Debug;\nmod near;\npub struct Box { side: u8 }\npub trait Shape { fn area(&self) -> u8; }\nimpl Box {\n  pub fn area(&self) -> u8 {\n    measure!(self.side())\n  }\n}\nfn go() { start(); Box::make(); }\n',
    definitions: [
      'class Box 3-3',
      'field side 3-3',
      'interface Shape 4-4',
      'function area 4-4',
      'extension Box 5-9',
      'function area 6-8',
      'function go 10-10',
    ],
    calls: ['measure:7', 'start:10', 'make:10'],
    imports: ['std::fmt::Debug', 'near'],
  },
  {
    path: 'a.c',
    language: 'c',
    text: '#include "near.h"\n#define LIMIT 3\nstruct box {\n  int side;\n};\ntypedef struct box box_t;\nstatic int *area(struct box *b) {\n  return measure(b->side);\n}\n',
    definitions: [
      'macro LIMIT 2-3',
      'class box 3-5',
      'field side 4-4',
      'type box_t 6-6',
      'function area 7-9',
    ],
    calls: ['measure:8'],
    imports: ['near.h'],
  },
  {
    path: 'a.cpp',
    language: 'cpp',
    text: '#include <vector>\nnamespace shapes {\nclass Box {\n  int side() { return 1; }\n};\n}\nint shapes::Box::area() {\n  return std::max(x->go(), measure());\n}\n',
    definitions: ['module shapes 2-6', 'class Box 3-5', 'function side 4-4', 'function area 7-9'],
    calls: ['max:8', 'go:8', 'measure:8'],
    imports: ['vector'],
  },
  {
    path: 'A.cs',
    language: 'csharp',
    text: 'using System.Text;\nnamespace Shapes {\n  public interface IShape { }\n  public class Box : IShape {\n    public int Side { get; }\n    public int Area() {\n      return Measure(this.Go());\n    }\n  }\n}\n',
    definitions: [
      'module Shapes 2-10',
      'interface IShape 3-3',
      'class Box 4-9',
      'method Side 5-5',
      'method Area 6-8',
    ],
    calls: ['Measure:7', 'Go:7'],
    imports: ['System.Text'],
  },
  {
    path: 'a.php',
    language: 'php',
    text: "<?php\nuse App\\Near;\nrequire_once 'c.php';\nfunction one() {\n  return two();\n}\nclass Box {\n  const SIDE = 2;\n  public function area() {\n    return $this->go() + Near::far();\n  }\n}\n",
    definitions: ['function one 4-6', 'class Box 7-12', 'constant SIDE 8-8', 'method area 9-11'],
    calls: ['two:5', 'go:10', 'far:10'],
    imports: ['App\\Near', 'c.php'],
  },
  {
    path: 'a.kt',
    language: 'kotlin',
    text: 'import b.C\n\nclass Box {\n    fun area(): Int {\n        return measure(1)\n    }\n}\nfun go() = start()\n',
    definitions: ['class Box 3-7', 'function area 4-6', 'function go 8-8'],
    calls: ['measure:5', 'start:8'],
    imports: ['b.C'],
  },
];
