import { describe, expect, it } from 'vitest';
import { judgeSensitivity } from '../../../src/core/context/sensitivity.ts';

const byPath = (path: string) => judgeSensitivity({ path, changedLines: [] });
const byLine = (line: string) => judgeSensitivity({ path: 'src/a.ts', changedLines: ['const sum = 1;', line] }).reason;

describe('security-sensitive files', () => {
  it.each([
    ['src/auth/cache.go', 'path segment "auth" contains "auth"'],
    ['src/LoginForm.tsx', 'path segment "LoginForm.tsx" contains "login"'],
    ['certs/server.pem', 'path matches *.pem'],
    ['.env.production', 'path matches .env*'],
    ['deep/.env', 'path matches .env*'],
    ['plugin/plugin.json', 'path matches plugin.json'],
    ['mcp-servers.yaml', 'path matches mcp-*.{json,yaml,yml}'],
    ['hooks/pre-commit.sh', 'path matches hooks/**'],
    ['config/capability-map.json', 'path matches *{authorization,capability,interlock}*.{json,yaml,yml}'],
    ['.github/workflows/ci.yml', 'path is a CI workflow'],
    ['.gitlab-ci.yml', 'path is a CI workflow'],
  ])('%s: %s', (path, reason) => {
    expect(byPath(path)).toEqual({ sensitive: true, reason });
  });

  it.each([
    ['const child = spawn("git", args);', 'starts a process'],
    ['out, err := exec.Command("git", "log").Output()', 'starts a process'],
    ['db.query(`select * from users where id = ${id}`);', 'builds SQL'],
    ['cursor.execute("DELETE FROM t WHERE id=%s" % id)', 'builds SQL'],
    ['subject = ["bash", "-c", line]', 'builds shell text'],
    ['const body = JSON.parse(text);', 'parses untrusted input'],
    ['name = request.args["name"]', 'parses untrusted input'],
    ['if (given === apiKey) return true;', 'compares secrets'],
    ['if (signature() == expected) {', 'compares secrets'],
  ])('a changed line %s %s', (line, reason) => {
    expect(byLine(line)).toBe(`a changed line ${reason}`);
  });

  it.each(['src/sum.ts', 'docs/guide.md', 'README.md', 'mcp.ts', 'data/list.json'])('%s is not one', path => {
    expect(byPath(path)).toEqual({ sensitive: false, reason: null });
  });

  it.each(['const found = pattern.exec(line);', 'db.query("select a from b where c = ?", [c]);', 'return left + right;', 'it("selects the file system", work)'])('a line like %s is none of the rules', line => {
    expect(byLine(line)).toBeNull();
  });

  it('can be extended by globs', () => {
    expect(judgeSensitivity({ path: 'ledger/x.ts', changedLines: [] }, ['ledger/**'])).toEqual({ sensitive: true, reason: 'path matches ledger/** of the configuration' });
  });

  it.each(['select ', 'token', 'insert ', '== a', 'update set ', 'sh ', 'select from ', '"'])('are told in a line of a million characters of %j, too', piece => {
    // Ends in time or not at all: no pattern may be quadratic.
    expect(byLine(piece.repeat(1_000_000 / piece.length))).toSatisfy(reason => reason === null || typeof reason === 'string');
  });
});
