/** What names lead to in scripts that pass things on, in Ruby and in tests of Rust: as in `projects.ts`. */
import type { Project } from './projects.ts';

const lines = (...texts: readonly string[]) => `${texts.join('\n')}\n`;

const scripts: Project = {
  files: {
    'package.json': '{ "name": "root" }',
    'index.js': "export { run } from './lib/run.js';\n",
    'index.d.ts': "export type { Speed } from './types/speed.js';\n",
    'types/speed.d.ts': 'export type Speed = number;\n',
    'lib/run.js': 'export const run = () => {};\n',
    'lib/tools.js': lines('exports.stretch = stretch;', 'function stretch(by) {}'),
    'lib/answer.js': lines(
      'const answer = {};',
      'answer.type = function contentType(kind) {',
      '  return kind;',
      '};',
      'answer.send = function send(body) {',
      "  this.type('text');",
      '};',
    ),
    'test/support/tools.js': lines('exports.expectTall = expectTall;', 'function expectTall() {}'),
    'test/tall.js': lines(
      "const sizes = require('../lib/tools').sizes;",
      "const tools = require('./support/tools');",
      'tools.expectTall();',
    ),
    'test/tools.js': lines(
      "const tools = require('../lib/tools');",
      'const {',
      '  stretch,',
      "} = require('../lib/tools');",
      'tools.stretch(1);',
    ),
    'lib/page.js': lines("const user = require('./answer');", 'export const lastVisit = 0;'),
    'test/page.js': lines('show(app.locals.user);', 'show(app.locals.lastVisit);'),
    'test/speed.ts': "import type { Speed } from '../index.js';\n",
  },
  rows: [
    [
      'a module, beside another one of which the file alone is called so',
      'test/tall.js',
      'tools.expectTall();',
      'expectTall',
      'test/support/tools.js: function expectTall() {}',
    ],
    [
      'a telling name is the only value by it',
      'test/page.js',
      'show(app.locals.lastVisit);',
      'lastVisit',
      'lib/page.js: export const lastVisit = 0;',
    ],
    [
      'what is only passed on leads to the function',
      'test/tools.js',
      'tools.stretch(1);',
      'stretch',
      'lib/tools.js: function stretch(by) {}',
    ],
    [
      'a name that is taken out of a module, on a line of its own',
      'test/tools.js',
      'stretch,',
      'stretch',
      'lib/tools.js: function stretch(by) {}',
    ],
    [
      'a member of the object itself may be called like a word of the language',
      'lib/answer.js',
      "this.type('text');",
      'type',
      'lib/answer.js: answer.type = function contentType(kind) {',
    ],
    [
      'a type is told by the declarations beside a script',
      'test/speed.ts',
      "import type { Speed } from '../index.js';",
      'Speed',
      'types/speed.d.ts: export type Speed = number;',
    ],
  ],
};

const ruby: Project = {
  files: {
    'lib/acme.rb': "module Acme\n  autoload :Log, 'acme/log'\nend\n",
    'lib/acme/log.rb': lines(
      'module Acme',
      '  class Log',
      '    def write_line',
      '    end',
      '  end',
      'end',
    ),
    'spec/double.rb': 'module Acme\n  class Double\n  end\nend\n',
    'spec/later.rb': lines('Later = proc do', '  def newer?', '  end', '  setup if newer?', 'end'),
    'spec/log_spec.rb': lines(
      "describe 'log' do",
      '  let(:sink) { [] }',
      "  it 'writes' do",
      "    require 'securerandom'",
      '    Acme::Log.new',
      '    sink.send(:write_line)',
      '    sink.send(:vanish)',
      '  end',
      'end',
    ),
  },
  rows: [
    [
      'what a block defines for itself',
      'spec/later.rb',
      'setup if newer?',
      'newer?',
      'spec/later.rb: def newer?',
    ],
    [
      'a name beside a library that is loaded in the same block',
      'spec/log_spec.rb',
      'Acme::Log.new',
      'Log',
      'lib/acme/log.rb: class Log',
    ],
    [
      'what a test declares for its cases',
      'spec/log_spec.rb',
      'sink.send(:write_line)',
      'sink',
      'spec/log_spec.rb: let(:sink) { [] }',
    ],
  ],
};

const rust: Project = {
  files: {
    'Cargo.toml': '[package]\nname = "front"\n',
    'src/main.rs': 'fn main() {}\n',
    'tests/tests.rs': 'mod util;\nmod index;\n',
    'tests/util.rs': 'pub struct TestCommand;\n',
    'tests/index/mod.rs': 'mod basic;\n',
    'tests/index/basic.rs': lines('use crate::util::TestCommand;', 'fn it(_: TestCommand) {}'),
  },
  rows: [
    [
      'the tests of a package are crates of their own',
      'tests/index/basic.rs',
      'fn it(_: TestCommand) {}',
      'TestCommand',
      'tests/util.rs: pub struct TestCommand;',
    ],
  ],
};

export const moreProjects: Readonly<Record<string, Project>> = {
  'scripts that pass things on': scripts,
  'Ruby, opened again': ruby,
  'tests of Rust': rust,
};
