/** Opens the rules about credentials: our own, and those of secretlint's recommended preset. */
import { lintSource } from '@secretlint/core';
import { secretLintProfiler } from '@secretlint/profiler';
import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import { SecretRules } from '../scanner.ts';
import { readData } from './rule-files.ts';

// Version 12.0.0 times itself and searches all its earlier marks at every mark: 2,500 files took eight minutes.
secretLintProfiler.mark = () => undefined;

/** Left out: what Jury's own rules judge better, and the filter that obeys comments of the text. */
const leftOut = /basicauth|database-connection-string|privatekey|filter/;
const used = rules
  .filter(rule => rule.meta.type === 'scanner' && !leftOut.test(rule.meta.id))
  .map(rule => ({ id: rule.meta.id, rule }));

let opened: ReturnType<typeof open> | undefined;

/** Read once for a process. */
export function openSecrets(): ReturnType<typeof open> {
  return (opened ??= open());
}

async function open() {
  return { rules: SecretRules.parse(await readData('secrets')), findByPreset };
}

async function findByPreset(content: string, path: string) {
  // For `.p12` a rule would open a file of that name, here and now; its content is binary anyway.
  const ext = /(?!\.p12$)\.[A-Za-z0-9]{1,12}$/i.exec(path)?.[0] ?? '';
  const { messages } = await lintSource({
    source: { filePath: `file${ext}`, content, ext, contentType: 'text' },
    options: { noPhysicFilePath: true, config: { rules: used } },
  });
  return messages.map(({ range: [start, end], ruleId }) => ({
    start,
    end,
    kind: ruleId.replace(/^.*secretlint-rule-/, ''),
  }));
}
