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
    text:
      "import { b } from './b.ts';\nexport interface Shape {\n  area(): number;\n}\nexport type Id = " +
      'string;\nenum Color { Red }\nexport const limit = 3;\nexport class Box implements Shape {\n  ' +
      'area() {\n    return measure(limit);\n  }\n}\nexport const make = () => new Box();\n',
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
    text:
      'package a\nimport "fmt"\ntype Box struct {\n\tSide int\n}\ntype Shape interface{ Area() int ' +
      '}\nfunc (b Box) Area() int {\n\tfmt.Println(measure(b))\n\treturn 1\n}\nfunc New() Box { return ' +
      'Box{} }\n',
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
    text:
      "require 'set'\nmodule Shapes\n  class Box\n    SIDE = 2\n    def area\n      measure(SIDE)\n    " +
      'end\n    def self.make\n      puts.to_s\n    end\n  end\nend\n',
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
    text:
      'use std::fmt::Debug;\nmod near;\npub struct Box { side: u8 }\npub trait Shape { fn area(&self) ' +
      '-> u8; }\nimpl Box {\n  pub fn area(&self) -> u8 {\n    measure!(self.side())\n  }\n}\nfn go() { ' +
      'start(); Box::make(); }\n',
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
    text:
      '#include "near.h"\n#define LIMIT 3\nstruct box {\n  int side;\n};\ntypedef struct box ' +
      'box_t;\nstatic int *area(struct box *b) {\n  return measure(b->side);\n}\n',
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
    text:
      '#include <vector>\nnamespace shapes {\nclass Box {\n  int side() { return 1; }\n};\n}\nint ' +
      'shapes::Box::area() {\n  return std::max(x->go(), measure());\n}\n',
    definitions: ['module shapes 2-6', 'class Box 3-5', 'function side 4-4', 'function area 7-9'],
    calls: ['max:8', 'go:8', 'measure:8'],
    imports: ['vector'],
  },
  {
    path: 'A.cs',
    language: 'csharp',
    text:
      'using System.Text;\nnamespace Shapes {\n  public interface IShape { }\n  public class Box : ' +
      'IShape {\n    public int Side { get; }\n    public int Area() {\n      return ' +
      'Measure(this.Go());\n    }\n  }\n}\n',
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
    text:
      "<?php\nuse App\\Near;\nrequire_once 'c.php';\nfunction one() {\n  return two();\n}\nclass Box " +
      '{\n  const SIDE = 2;\n  public function area() {\n    return $this->go() + Near::far();\n  }\n}\n',
    definitions: ['function one 4-6', 'class Box 7-12', 'constant SIDE 8-8', 'method area 9-11'],
    calls: ['two:5', 'go:10', 'far:10'],
    imports: ['App\\Near', 'c.php'],
  },
  {
    path: 'a.kt',
    language: 'kotlin',
    text:
      'import b.C\n\nclass Box {\n    fun area(): Int {\n        // measure(2) of old\n        return ' +
      'measure(1, "said(2)")\n    }\n}\nfun <T> String.shout(): T = start()\nval limit: Int = ' +
      '3\ninterface Shape\nobject Only { fun one() = 1 }\n',
    definitions: [
      'class Box 3-8',
      'function area 4-7',
      'function shout 9-9',
      'constant limit 10-10',
      'interface Shape 11-11',
      'class Only 12-12',
      'function one 12-12',
    ],
    calls: ['measure:6', 'start:9'],
    imports: ['b.C'],
  },
  {
    path: 'a.scala',
    language: 'scala',
    text:
      'import b.C\n\ntrait Shape {\n  def area(): Int\n}\ncase class Box(side: Int) extends Shape {\n  ' +
      'override def area(): Int = measure(side)\n}\nobject Box {\n  def make(): Box = new Box(1)\n}\n',
    definitions: [
      'interface Shape 3-5',
      'function area 4-4',
      'class Box 6-8',
      'field side 6-6',
      'function area 7-7',
      'class Box 9-11',
      'function make 10-10',
    ],
    calls: ['measure:7', 'Box:10'],
    imports: ['b.C'],
  },
  {
    path: 'a.swift',
    language: 'swift',
    text:
      'import Foundation\n\nprotocol Shape {\n  func area() -> Int\n}\nstruct Box: Shape {\n  let side: ' +
      'Int\n  func area() -> Int {\n    return measure(self.go())\n  }\n}\nextension Box {\n  func ' +
      'double() -> Int { 2 }\n}\nenum Color { case red }\nfunc start() {}\n',
    definitions: [
      'interface Shape 3-5',
      'function area 4-4',
      'class Box 6-11',
      'field side 7-7',
      'function area 8-10',
      'extension Box 12-14',
      'function double 13-13',
      'enum Color 15-15',
      'function start 16-16',
    ],
    calls: ['measure:9', 'go:9'],
    imports: ['Foundation'],
  },
  {
    path: 'a.kt',
    language: 'kotlin',
    text:
      'package shop\n\nimport shop.rates.rateOf\nimport shop.util.* \nimport shop.rates.Rate as ' +
      'Quota\n\ntypealias Rows = Map<String, Int>\nconst val LIMIT = 3\ninterface Shape {\n  fun ' +
      'area(): Int\n}\nenum class Color(val hex: Int) { RED(1), GREEN(2) }\ndata class Box(private val ' +
      'side: Int, extra: Int = LIMIT) : Base(extra), Shape {\n  var total: Int = 0\n  ' +
      'constructor(other: Box) : this(other.total)\n  override fun <T : Any> area(): Int {\n    val ' +
      'local = measure(side)\n    return other.run { it.go(local) }\n  }\n  companion object {\n    fun ' +
      'of(side: Int) = Box(side = side)\n  }\n}\nobject Registry\nfun List<Box>.total(): Int = sumOf { ' +
      'it.total }\nval Box.size: Int\n  get() = total\nclass BoxTest {\n  @Test fun `holds what fits`() ' +
      '{}\n}\n',
    definitions: `type Rows 7-7
constant LIMIT 8-8
interface Shape 9-11
function area 10-10
enum Color 12-12
field hex 12-12
field RED 12-12
field GREEN 12-12
class Box 13-23
field side 13-13
field total 14-14
method constructor 15-15
function area 16-19
function of 21-21
class Registry 24-24
function total 25-25
constant size 26-27
class BoxTest 28-30
test holds what fits 29-29`.split('\n'),
    calls: 'Base:13 measure:17 run:18 go:18 Box:21 sumOf:25'.split(' '),
    imports: ['shop.rates.rateOf', 'shop.util.*', 'shop.rates.Rate'],
  },
  {
    path: 'a.scala',
    language: 'scala',
    text:
      'package shop\n\nimport shop.rates.{rateOf, Rate => Quota}\nimport shop.util._\n\ntrait Shape { ' +
      'def area: Int }\ncase class Box(side: Int, extra: Int = 0) extends Base(extra) with Shape {\n  ' +
      'private val rows: Map[String, Int] = Map.empty\n  type Row = (String, Int)\n  def this(other: ' +
      'Box) = this(other.side)\n  override def area: Int = {\n    val local = measure(side)\n    ' +
      'other.go[Int](local)\n  }\n}\nobject Box {\n  val Limit = 3\n  def of(side: Int): Box = new ' +
      'Box(side)\n}\npackage object util {\n  def helper(x: Int) = x\n}\nenum Color(val hex: Int):\n  ' +
      'case Red extends Color(1)\n  case Green, Blue\nextension (box: Box)\n  def renamed(to: String): ' +
      'Box = box\n',
    definitions: `interface Shape 6-6
function area 6-6
class Box 7-15
field side 7-7
field extra 7-7
field rows 8-8
type Row 9-9
function area 11-14
class Box 16-19
field Limit 17-17
function of 18-18
module util 20-22
function helper 21-21
enum Color 23-26
field hex 23-23
field Red 24-24
field Green 25-25
field Blue 25-25
extension Box 26-28
function renamed 27-27`.split('\n'),
    calls: ['measure:12', 'go:13', 'Box:18'],
    imports: ['shop.rates._', 'shop.util._'],
  },
  {
    path: 'a.sql',
    language: 'sql',
    text:
      '\\ir near.sql\n-- CREATE TABLE old (id int);\nCREATE TABLE IF NOT EXISTS shop.orders (\n  id int ' +
      'PRIMARY KEY,\n  customer int REFERENCES customers(id)\n);\ncreate or replace function total(o ' +
      "int) returns int as $$\n  select sum(price) from lines where text = 'from nowhere';\n$$ language " +
      'sql;\nCREATE VIEW open_orders AS SELECT * FROM orders;\n',
    definitions: ['class orders 3-6', 'function total 7-9', 'class open_orders 10-10'],
    calls: ['customers:5', 'sum:8'],
    imports: ['near.sql'],
  },
  {
    path: 'a.vue',
    language: 'vue',
    text:
      '<template>\n  <user-card :name="shown(\'title of it\')" @click="save(user)">say save ' +
      'here</user-card>\n</template>\n\n<script setup lang="ts">\nimport UserCard from ' +
      "'./user-card.vue';\nconst user: string = load();\nfunction save(one: string): void {\n  " +
      'send(one);\n}\n</script>\n<style>\n.save { color: red }\n</style>\n',
    definitions: ['constant user 7-7', 'function save 8-10'],
    calls: ['load:7', 'send:9', 'save:2'],
    imports: ['./user-card.vue'],
  },
  {
    path: 'a.svelte',
    language: 'svelte',
    text:
      "<script>\n  import Card from './card.svelte';\n  export const limit = 3;\n  function save() " +
      '{\n    send(limit);\n  }\n</script>\n\n<Card on:click={save} title="save it">{save()}</Card>\n',
    definitions: ['constant limit 3-3', 'function save 4-6'],
    calls: ['send:5', 'save:9'],
    imports: ['./card.svelte'],
  },
  {
    path: 'a.ipynb',
    language: 'jupyter',
    text:
      '{\n "cells": [\n  {\n   "cell_type": "markdown",\n   "metadata": {},\n   "source": [\n    "# ' +
      'measure(1) in words"\n   ]\n  },\n  {\n   "cell_type": "code",\n   "metadata": {},\n   ' +
      '"outputs": [\n    {\n     "data": {\n      "text/plain": [\n       "never(1)"\n      ]\n     }\n ' +
      '   }\n   ],\n   "source": [\n    "import os.path\\n",\n    "%matplotlib inline\\n",\n    "def ' +
      'area(side):\\n",\n    "    return measure(\\"a\\", side)"\n   ]\n  }\n ],\n "metadata": {\n  ' +
      '"language_info": {\n   "name": "python"\n  }\n }\n}\n',
    definitions: ['function area 25-26'],
    calls: ['measure:26'],
    imports: ['os.path'],
  },
];
