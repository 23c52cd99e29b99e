import { describe, expect, it } from 'vitest';
import { createImportResolver } from '../../../src/core/languages/resolve-import.ts';

const paths = (
  'src/app.ts src/lib/index.ts src/lib/text.ts src/lib/view.tsx src/old.js node/@types/x.d.ts pkg/__init__.py ' +
  'pkg/core.py pkg/sub/__init__.py pkg/sub/deep.py main.go internal/db/db.go internal/db/db_test.go ' +
  'src/main/java/org/x/Tool.java app/Http/Kernel.php lib/a/b.rb lib/a/c.rb crate/src/lib.rs crate/src/net.rs ' +
  'crate/src/io/mod.rs include/z/list.h src/c/list.h src/c/main.c'
).split(' ');
const resolve = createImportResolver(paths);

describe('an import leads to', () => {
  it.each([
    ['a script beside it', 'src/app.ts', './lib/text', 'src/lib/text.ts'],
    ['a script with its ending', 'src/app.ts', './lib/text.ts', 'src/lib/text.ts'],
    [
      'a script written under the name it is compiled to',
      'src/app.ts',
      './lib/view.js',
      'src/lib/view.tsx',
    ],
    ['the index of a folder', 'src/app.ts', './lib', 'src/lib/index.ts'],
    ['a script further up', 'src/lib/text.ts', '../old', 'src/old.js'],
    ['a script behind the usual alias', 'src/app.ts', '@/lib/text', 'src/lib/text.ts'],
    ['a Python module', 'pkg/core.py', 'pkg.sub.deep', 'pkg/sub/deep.py'],
    ['a Python package', 'pkg/core.py', 'pkg.sub', 'pkg/sub/__init__.py'],
    ['a Python module beside it', 'pkg/core.py', '.sub.deep', 'pkg/sub/deep.py'],
    ['a Python module above it', 'pkg/sub/deep.py', '..core', 'pkg/core.py'],
    [
      'the files of a Go package, without its tests',
      'main.go',
      'example.org/me/internal/db',
      'internal/db/db.go',
    ],
    ['a Java class', 'X.java', 'org.x.Tool', 'src/main/java/org/x/Tool.java'],
    ['the class of a Java member', 'X.java', 'org.x.Tool.run', 'src/main/java/org/x/Tool.java'],
    ['a PHP class below a mapped folder', 'index.php', 'App\\Http\\Kernel', 'app/Http/Kernel.php'],
    ['a Ruby file beside it', 'lib/a/b.rb', './c', 'lib/a/c.rb'],
    ['a Ruby file on the path', 'x.rb', 'a/b', 'lib/a/b.rb'],
    ['a Rust module', 'crate/src/lib.rs', 'net', 'crate/src/net.rs'],
    ['the module of a Rust name', 'crate/src/lib.rs', 'crate::io::Read', 'crate/src/io/mod.rs'],
    ['a header beside it', 'src/c/main.c', 'list.h', 'src/c/list.h'],
    ['a header elsewhere', 'src/c/main.c', 'z/list.h', 'include/z/list.h'],
  ])('%s', (_, from, specifier, target) => expect(resolve(from, specifier)).toEqual([target]));
});

it.each([
  ['src/app.ts', 'react'],
  ['pkg/core.py', 'os'],
  ['main.go', 'fmt'],
  ['main.go', 'net/http'],
  ['X.java', 'java.util.List'],
  ['src/app.ts', '../../../etc/passwd'],
  ['README', 'x'],
])('in %s, %s leads to nothing in the repository', (from, specifier) =>
  expect(resolve(from, specifier)).toEqual([]),
);
