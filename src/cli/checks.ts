/** What can be checked without asking anybody: `jury verify` a change, `jury ground` the findings of a folder. */
import { flag, word } from '../core/flags.ts';
import {
  ClaimsRequest,
  createJury,
  groundingExit,
  GroundRequest,
  UserError,
  VerifyRequest,
} from '../index.ts';
import { programExits } from '../core/verdict/outcome.ts';
import { renderExplanation } from '../render/explanation.ts';
import {
  renderClaimsJson,
  renderClaimsTerminal,
  renderGrounding,
  renderIntegrity,
} from '../render/checks.ts';
import { printJson } from '../render/json.ts';
import { defineCommand, type RunnableCommand, TrustFlags } from './command.ts';
import { answer, fitted, notedCallOf } from './terminal.ts';
import { inputError } from '../core/errors.ts';

export const verify = defineCommand({
  summary:
    'Check what needs no opinion: coverage of changed lines, switched-off tests, undone work',
  flags: VerifyRequest.extend({
    json: flag('Print the result as JSON'),
  }),
  epilogue: `Exits 0 when the change keeps its word, 1 when it does not.

Examples:
  jury verify --coverage coverage/lcov.info
  jury verify main..HEAD --coverage lcov.info --gate tests=pass --gate lint=pass
  jury verify --exempt "src/a.test.ts:12 .skip(=needs the new database, see issue 7"`,
  async run({ json, ...request }, terminal) {
    const verified = await createJury(terminal).verify(request);
    const { title, integrity, evidence } = verified;
    const text = renderIntegrity(verified, request.coverage !== undefined);
    const data = { schema: 'jury.integrity/1', title, ...integrity, ...(evidence && { evidence }) };
    answer(terminal, json, data, () => fitted(terminal, text));
    return integrity.ok &&
      (evidence?.recommendations.every(({ state }) => state === 'proven') ?? true)
      ? 0
      : 1;
  },
});

/** `jury ground`: does every merged finding trace to what a reviewer wrote? */
const command = defineCommand({
  summary: 'Check that every merged finding traces to what a reviewer wrote',
  flags: GroundRequest.extend({ json: flag('The result as JSON') }),
  epilogue: `Exit codes: 0 grounded, or only warnings; 2 usage, or the folder cannot be used; 3 a violation.

Examples:
  jury ground reviews
  jury ground reviews --strict --json`,
  async run({ json, ...request }, terminal) {
    const grounding = await createJury(terminal).ground(request);
    if (json) terminal.write(printJson(grounding));
    else {
      const { output, notes } = renderGrounding(grounding);
      for (const note of notes) terminal.note(note);
      if (output !== '') terminal.write(output);
    }
    return groundingExit(grounding);
  },
});

/** Codes of its own: here 3 is a violation, so that a wrong call must be something else. */
export const ground: RunnableCommand = {
  ...command,
  execute: (name, args, terminal) =>
    command
      .execute(name, args, terminal)
      .catch((error: unknown) =>
        Promise.reject(
          error instanceof UserError ? inputError(error.message, error.hint, error) : error,
        ),
      ),
};

export const consensus = defineCommand({
  summary: 'Form claims of findings that other tools produced',
  flags: ClaimsRequest.extend({
    ...TrustFlags.shape,
    explain: word(
      'CLAIM',
      'Tell why this claim is one: its number in the list, its id or the beginning of one, or a finding in it',
    ),
    json: flag('Everything as JSON'),
  }),
  epilogue: `Examples:
  jury consensus eslint.sarif semgrep.sarif
  jury consensus findings.json --json
  jury consensus latest --strategy overlap --threshold 50
  jury consensus findings.json --explain 1

A file holds SARIF 2.1.0, or {"findings": [{"reviewer", "text", "path"?, "line"?, "severity"?, "category"?}]}.`,
  async run({ json, explain: claim, trustConfig, ...request }, terminal) {
    const jury = createJury({ ...notedCallOf(terminal), trustConfig });
    if (claim !== undefined) {
      const explanation = await jury.explain({ claim, consensus: request });
      if (terminal.signal.aborted) return programExits.interrupted;
      return answer(terminal, json, explanation, () => renderExplanation(explanation, terminal));
    }
    const formed = await jury.consensus(request);
    if (terminal.signal.aborted) return programExits.interrupted;
    for (const warning of formed.warnings) terminal.note(`jury: ${warning}`);
    terminal.write(json ? renderClaimsJson(formed) : renderClaimsTerminal(formed, terminal));
    return 0;
  },
});
