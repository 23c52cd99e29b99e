/** What was seen of all clients; every row of one is played by a test file of its own, which runs beside the others. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { ClientName } from '../../../../src/core/words/runner.ts';
import { claudeRows } from './claude-rows.ts';
import { codexRows } from './codex-rows.ts';
import {
  createFakeClient,
  expectNothingLeft,
  fakeKey,
  type FakeClient,
  type Row,
} from './fakes.ts';
import { geminiRows } from './gemini-rows.ts';
import { opencodeRows } from './opencode-rows.ts';

export const rows: Readonly<Record<ClientName, readonly Row[]>> = {
  claude: claudeRows,
  codex: codexRows,
  gemini: geminiRows,
  opencode: opencodeRows,
};

export function playRows(client: ClientName): void {
  describe(`${client} meets`, () => {
    let fake: FakeClient;
    beforeAll(async () => {
      fake = await createFakeClient(client, true);
    });

    test.each(rows[client].map(row => [row.name, row] as const))(
      '%s',
      async (_name, { scenario, turn, expected }) => {
        await fake.play(scenario);
        const answer = await fake.ask(turn);
        expect(answer).toMatchObject(expected);
        expect(answer.transcript).not.toContain(fakeKey);
        await expectNothingLeft(fake);
      },
    );
  });
}
