/** Plays every row of one client; a test file for each of them runs beside the others. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { ClientName } from '../../../../src/adapters/runners/client.ts';
import {
  createFakeClient,
  expectNothingLeft,
  fakeKey,
  type FakeClient,
  type Row,
} from './fakes.ts';

export function playRows(client: ClientName, rows: readonly Row[]): void {
  describe(`${client} meets`, () => {
    let fake: FakeClient;
    beforeAll(async () => {
      fake = await createFakeClient(client);
    });

    test.each(rows.map(row => [row.name, row] as const))(
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
