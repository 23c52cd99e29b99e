/** Who reads SARIF besides us: the official schema, and the validator of those who keep it, with GitHub's own rules. */
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { createFolder } from '../../adapters/git/sample-repository.ts';

const require = createRequire(import.meta.url);
/** The validator is a program for each system in a package of its own; the schema lies beside it. */
const validator = createRequire(require.resolve('@microsoft/sarif-multitool/package.json'));
const folder = path.dirname(
  validator.resolve(`@microsoft/sarif-multitool-${process.platform}/package.json`),
);

/** What the schema says against a log, a line each. */
export function schemaErrors(log: unknown): string[] {
  check ??= compileSchema();
  return check(log)
    ? []
    : (check.errors ?? []).map(error => `${error.instancePath} ${error.message}`);
}

let check: ReturnType<typeof compileSchema> | undefined;

function compileSchema() {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats.default(ajv);
  return ajv.compile(
    JSON.parse(readFileSync(path.join(folder, 'sarif-2.1.0.json'), 'utf8')) as object,
  );
}

/** Errors and warnings of the validator, by its rules and by those it knows of GitHub: `GH1015: runs[0].results[1]: …`. */
export function validatorErrors(texts: readonly string[]): string[] {
  const program = path.join(
    folder,
    process.platform === 'win32' ? 'Sarif.Multitool.exe' : 'Sarif.Multitool',
  );
  chmodSync(program, 0o755);
  const logs = createFolder();
  const files = texts.map((text, index) => {
    const file = path.join(logs, `${index}.sarif`);
    writeFileSync(file, text);
    return file;
  });
  const { status, stdout, stderr } = spawnSync(
    program,
    [
      'validate',
      ...files,
      '--rule-kind',
      'Sarif;Ghas',
      '--level',
      'Error;Warning',
      '--output',
      path.join(logs, 'report'),
    ],
    // The program wants the tables of languages of the system, or to be told that there are none.
    { encoding: 'utf8', env: { ...process.env, DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' } },
  );
  if (!stdout.includes(`${files.length} files scanned`))
    throw new Error(`The validator did not look (${status}): ${stdout}${stderr}`);
  return stdout
    .split('\n')
    .flatMap(line => /(?:error|warning) ((?:SARIF|GH|ERR)\w+.*)/.exec(line)?.[1] ?? []);
}
