/** `jury consensus`: claims from findings that any tools produced. */
import { z } from 'zod';
import { createJury, ClaimsRequest, type OnEvent } from '../index.ts';
import { programExits } from '../core/verdict/outcome.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { renderClaimsJson, renderClaimsTerminal } from '../render/formed-claims.ts';
import { TrustFlags, defineCommand } from './command.ts';
import { callOf } from './terminal.ts';

export const consensus = defineCommand({
  summary: 'Form claims of findings that other tools produced',
  flags: ClaimsRequest.extend({
    ...TrustFlags.shape,
    json: z.boolean().default(false).describe('Everything as JSON'),
  }),
  epilogue: `Examples:
  jury consensus eslint.sarif semgrep.sarif
  jury consensus findings.json --json
  jury consensus latest --strategy overlap --threshold 50

A file holds SARIF 2.1.0, or {"findings": [{"reviewer", "text", "path"?, "line"?, "severity"?, "category"?}]}.`,
  async run({ json, trustConfig, ...request }, terminal) {
    const onEvent: OnEvent = event => {
      if (event.type === 'note') terminal.note(`jury: ${makeVisible(event.message)}`);
    };
    const formed = await createJury({ ...callOf(terminal), trustConfig, onEvent }).consensus(
      request,
    );
    if (terminal.signal.aborted) return programExits.interrupted;
    for (const warning of formed.warnings) terminal.note(`jury: ${makeVisible(warning)}`);
    terminal.write(
      json
        ? renderClaimsJson(formed)
        : renderClaimsTerminal(formed, { color: terminal.color, width: terminal.width }),
    );
    return 0;
  },
});
