/** The clock of a machine may be put back while members are asked: what came later is told to be later all the same. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createJury, MotionsRequest } from '../../src/index.ts';
import { makeSession } from './session-folder.ts';

const hour = 3_600_000;

it.each([1, 4, 8, 11])('a clock that goes back by an hour with call %i', async after => {
  const { results, ...where } = makeSession({
    roster: ['Ada', 'Bo', 'Cy', 'Di', 'Ed'],
    'mega-motions': [{ mega_motion_id: 'm-1', title: 'M', consolidated_text: 'Care.' }],
  });
  let calls = 0;
  const jury = createJury({
    ...where,
    config: { motions: { reviewer: { runner: 'mine' } } },
    clock: {
      now: () => new Date(Date.now() - (calls >= after ? hour : 0)),
      monotonicMs: () => performance.now(),
      sleep: (_, signal) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(new Error('stopped')));
        }),
    },
    runners: {
      mine: ({ instructions, prompt }) => {
        calls += 1;
        const member = /^You are (\w+)/m.exec(`${instructions}\n${prompt}`)?.[1];
        if (member === undefined)
          return {
            text: '{"recommendation": "amend", "revised_motion_text": "Care, and soon."}',
          };
        const stance = { Ada: 'endorse', Bo: 'endorse', Cy: 'amend' }[member] ?? 'oppose';
        return prompt.includes('motion_id: "m-1"')
          ? {
              text: JSON.stringify([
                { motion_id: 'm-1', stance: prompt.includes('Amended') ? 'endorse' : stance },
              ]),
            }
          : { text: 'It is argued.\nVOTE: amend' };
      },
    },
  });
  const request = MotionsRequest.parse({ dir: 'session', realAgent: true });
  const began = Date.now();
  await jury.vote(request);
  expect(calls).toBeGreaterThan(11);
  const read = (name: string) => JSON.parse(readFileSync(path.join(results, name), 'utf8'));
  const events = (read('audit_trail.json') as { occurred_at: string }[]).map(
    event => event.occurred_at,
  );
  expect(events).toEqual(events.toSorted());
  const panels = readdirSync(path.join(results, 'panel_deliberations'));
  expect(panels).toHaveLength(1);
  for (const name of panels)
    expect(read(`panel_deliberations/${name}`)).toMatchObject({
      status: 'concluded',
      deliberation_duration_minutes: expect.toSatisfy(
        (minutes: number) => minutes >= 0 && minutes < 1,
      ) as number,
    });
  const rows = read('review_responses.json') as {
    reviewed_at: string;
    review_duration_ms: number;
  }[];
  for (const { reviewed_at, review_duration_ms } of rows) {
    expect(Date.parse(reviewed_at)).toBeGreaterThanOrEqual(began);
    expect(review_duration_ms).toBeGreaterThanOrEqual(0);
  }
  expect(await jury.verifyAudit(results)).toMatchObject({ intact: true, recount: 'same' });
  // Put back once more, the same command finds the vote and asks nobody.
  const before = calls;
  await jury.vote(request);
  expect(calls).toBe(before);
});
