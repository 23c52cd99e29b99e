/** `jury consensus`: claims from findings that any tools produced. */
import { flag, word } from '../core/flags.ts';
import { ClaimsRequest, createJury, type OnEvent } from '../index.ts';
import { programExits } from '../core/verdict/outcome.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { renderExplanation } from '../render/explanation.ts';
import { renderClaimsJson, renderClaimsTerminal } from '../render/formed-claims.ts';
import { printJson } from '../render/json.ts';
import { defineCommand, TrustFlags } from './command.ts';
import { callOf } from './terminal.ts';

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
    const onEvent: OnEvent = event => {
      if (event.type === 'note') terminal.note(`jury: ${makeVisible(event.message)}`);
    };
    const jury = createJury({ ...callOf(terminal), trustConfig, onEvent });
    const options = { color: terminal.color, width: terminal.width };
    if (claim !== undefined) {
      const explanation = await jury.explain({ claim, consensus: request });
      if (terminal.signal.aborted) return programExits.interrupted;
      terminal.write(json ? printJson(explanation) : renderExplanation(explanation, options));
      return 0;
    }
    const formed = await jury.consensus(request);
    if (terminal.signal.aborted) return programExits.interrupted;
    for (const warning of formed.warnings) terminal.note(`jury: ${makeVisible(warning)}`);
    terminal.write(json ? renderClaimsJson(formed) : renderClaimsTerminal(formed, options));
    return 0;
  },
});
