import { describe, expect, it } from 'vitest';
import { createSecretScanner } from '../../../src/checks/index.ts';
import { redact } from '../../../src/core/safety/redaction.ts';
import { fakePrivateKey, fakeSecrets, scramble } from './fake-secrets.ts';

const scanner = createSecretScanner();
/** Keeps other scanners from taking this file for one with secrets. */
const glue = (...parts: readonly string[]) => parts.join('');
const kindsIn = async (text: string, path = 'src/app.ts') =>
  (await scanner.scan(text, path)).map(span => span.kind);

const wrappings: readonly ((secret: string) => string)[] = [
  secret => `const key = "${secret}";`,
  secret => `+  key: ${secret}\n`,
  secret => `curl -H "Authorization: Bearer ${secret}" https://host.example/`,
  secret => `{"a":"${secret}","b":1}`,
  secret => `log line [${secret}] end`,
];

describe('the secret scanner', () => {
  it.each(fakeSecrets)(
    'finds a credential of kind %s wherever it stands, and redaction leaves nothing of it',
    async (kind, secret) => {
      for (const wrap of wrappings) {
        const text = wrap(secret);
        const spans = await scanner.scan(text, 'src/app.ts');
        expect(spans.map(span => span.kind)).toContain(kind);
        expect(redact(text, spans).text).not.toContain(secret.slice(-12));
      }
    },
  );

  it('finds private key blocks, also inside a diff, in a JSON string and without an end', async () => {
    const diff = fakePrivateKey
      .split('\n')
      .map(line => `+${line}`)
      .join('\n');
    const cut = fakePrivateKey.split('\n').slice(0, 4).join('\n');
    for (const text of [fakePrivateKey, diff, JSON.stringify({ key: fakePrivateKey }), cut]) {
      const spans = await scanner.scan(text, 'deploy.txt');
      expect(spans.map(span => span.kind)).toEqual(['private-key']);
      expect(redact(text, spans).text).not.toContain(scramble(64));
    }
  });

  it('finds passwords inside URLs, in assignments and in environment files', async () => {
    expect(
      await kindsIn(
        `const url = 'postgres://app:${glue('v3ry-L0ng', 'pw9')}@db.internal.net:5432/app';`,
      ),
    ).toEqual(['basic-auth']);
    expect(await kindsIn(`db_password = "${glue('Tr0ub4dor', '&3x!9')}"`, 'settings.py')).toEqual([
      'password',
    ]);
    expect(await kindsIn(`  apiKey: '${scramble(28)}',`)).toEqual(['password']);
    expect(await kindsIn(`clientSecret := "${scramble(30)}"`, 'main.go')).toEqual(['password']);
    expect(
      await kindsIn(
        `SESSION_SECRET=${scramble(20)}\nDEBUG=true\nexport DB_PASSWORD='${glue('kitten', 'wool77')}'`,
        '.env',
      ),
    ).toEqual(['env', 'env']);
    expect(
      await kindsIn(
        `"Server=db;Database=a;User Id=sa;Password=${glue('Str0ng', 'Pwd!9')};"`,
        'app.cs',
      ),
    ).toEqual(['password']);
  });

  it.each([
    ['a look-up', "const apiKey = process.env['API_KEY'] ?? '';"],
    ['a template', 'password: "${DB_PASSWORD}"'],
    ['a mustache', 'token: "{{ .Values.token1234 }}"'],
    ['an example', 'password = "changeme123"'],
    ['a made-up key', 'api_key = "your-api-key-here-123"'],
    ['a test word', 'const token = "test-token-12345";'],
    ['crosses', 'apiKey: "xxxxxxxxxxxxxxxx"'],
    ['a sentence', '"password": "Enter your new password, 8 characters"'],
    ['a name of a variable', 'secretName = "MY_SECRET_V2_NAME"'],
    ['a kebab name', 'tokenType: "access-token-v2"'],
    ['an address', 'tokenEndpoint: "https://login.host1.net/oauth2/token"'],
    ['a file', 'private_key = "certs/server1.pem"'],
    ['a plain URL', 'https://example.com:8080/path@2x.png'],
    ['a local database', 'postgres://postgres:postgres1@localhost:5432/test'],
    ['user equal to password', 'amqp://guest:guest@rabbit.internal:5672'],
    ['code that looks for keys', "if (text.startsWith('-----BEGIN PRIVATE KEY-----')) return;"],
    ['a hash of a package', '"integrity": "sha512-aB3dE5fG7hJ9kL2mN4pQ6rS8tU0vW1xY"'],
    ['a type', 'password: string; token: Token1234Type;'],
    ['a UUID', 'token: "123e4567-e89b-12d3-a456-426614174000"'],
  ])('takes %s for no secret', async (_, text) => expect(await kindsIn(text)).toEqual([]));

  it('takes the pairs of a template of an environment file for no secrets', async () =>
    expect(await kindsIn('DB_PASSWORD=kittenwool77', '.env.example')).toEqual([]));

  it('cannot be switched off by a comment in the text', async () =>
    expect(
      await kindsIn(
        `/* secretlint-disable */\nconst a = "ghp_${scramble(36)}"; // secretlint-disable-line`,
      ),
    ).toEqual(['github']));

  it('returns sorted, disjoint spans whose messages never repeat the secret', async () => {
    const text =
      fakeSecrets.map(([, secret]) => `token = "${secret}"`).join('\n') +
      `\nurl = https://me:${glue('pa55', 'word99x')}@host.net/?k=AKIAQWERTYUIOPASDFGH`;
    const spans = await scanner.scan(text, 'notes.txt');
    expect(spans.length).toBeGreaterThanOrEqual(fakeSecrets.length + 1);
    spans.reduce((end, span) => {
      expect(span.start).toBeGreaterThanOrEqual(end);
      expect(span.end).toBeGreaterThan(span.start);
      expect(span.message).not.toContain(text.slice(span.start, span.end));
      return span.end;
    }, 0);
  });
});
