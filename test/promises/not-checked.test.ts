import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createHistory } from '../adapters/git/sample-repository.ts';
import { jury } from '../cli/jury.ts';

const patch = `diff --git a/src/gone.js b/src/gone.js
--- a/src/gone.js
+++ b/src/gone.js
@@ -1,3 +1,4 @@
 export function add(a, b) {
+  const sum = a + b;
   return a + b;
 }
`;

describe('what a static check did not look at', () => {
  it('is named where the outcome is, with the check and the reason', () => {
    const sample = createHistory({ 'README.md': 'A shop.\n' }, { 'src/here.js': 'f();\n' });
    const file = path.join(sample.root, 'other.patch');
    sample.write('other.patch', patch);
    const { stdout } = jury(sample.root, ['review', '--patch', file, '--format', 'terminal']);
    const line = stdout.split('\n').find(text => text.includes('src/gone.js'));
    expect(line).toContain('javascript');
    expect(stdout.replace(/\s+/g, ' ')).toContain('only the lines of the patch were at hand');
  });

  it('is not said of what all of them read', () => {
    const sample = createHistory({ 'README.md': 'A shop.\n' }, { 'src/here.js': 'f();\n' });
    const { stdout } = jury(sample.root, ['review', 'HEAD~1..HEAD', '--format', 'terminal']);
    expect(stdout).toContain('PASS');
    expect(stdout).not.toContain('not checked');
  });
});
