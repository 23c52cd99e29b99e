import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runJury } from '../../bench/program.mjs';
import { firstDifference } from '../../bench/votes/compare.mjs';
import { startModelServers } from '../../bench/votes/model-servers.mjs';
import { placeSession } from '../../bench/votes/places.mjs';
import { playScenes } from '../../bench/votes/scenes.mjs';
import { writeSession } from '../../bench/votes/session.mjs';

const models = [
  { model: 'large', price: { input: 3, output: 15 } },
  { model: 'middle', price: { input: 0.8, output: 4 } },
  { model: 'small', price: { input: 0.1, output: 0.4 } },
];
const session = (folder: string) => writeSession(folder, { members: 12, motions: 4, seed: 'own' });

let servers: Awaited<ReturnType<typeof startModelServers>>;
beforeAll(async () => {
  servers = await startModelServers(models);
});
afterAll(() => servers.close());

const settings = () => ({
  reviewer: { runner: 'api', timeout: 60 },
  endpoints: servers.endpoints.map(({ url, model, price }) => ({ baseUrl: url, model, price })),
});

describe('a vote at three endpoints, each with a model and a price', () => {
  it(
    'that a ceiling cut short comes to what an undisturbed one does, and every call and cent is counted',
    { timeout: 120_000 },
    async () => {
      const { rows, artifacts, difference } = await playScenes({
        session,
        servers,
        motions: settings(),
        withFailures: false,
      });
      expect(
        rows.flatMap(({ scene, problems }) => problems.map((one: string) => `${scene}: ${one}`)),
      ).toEqual([]);
      expect(rows).toHaveLength(5);
      expect(difference).toBeNull();
      expect(artifacts).toBeGreaterThan(18);
      const whole = rows.find(({ scene }) => scene === 'all answer');
      expect(Math.min(...(whole?.seen.byModel ?? [0]))).toBeGreaterThan(0);
      expect(whole?.counted.cost).toBeGreaterThan(0);
    },
  );
});

describe('the comparison of two votes', () => {
  const changes: readonly (readonly [string, RegExp, string])[] = [
    ['review_responses.json', /"stance": "OPPOSE"/, '"stance": "ENDORSE"'],
    ['ratification_results.json', /"yeas": \d+/, '"yeas": 99'],
    ['ratification_history.json', /"outcome": "\w+"/, '"outcome": "other"'],
    ['aggregations.json', /"contested": (?:true|false)/, '"contested": null'],
    ['triage_results.json', /"risk_tier": "\w+"/, '"risk_tier": "none"'],
    ['audit_trail.json', /"event_type": "reviews_aggregated"/, '"event_type": "reviews_lost"'],
    ['pipeline_result.json', /"low": 0.66/, '"low": 0.1'],
    ['report.md', /Reviews: /, 'Reviews, '],
  ];
  it(
    'finds one changed word in any artifact, and a file too many',
    { timeout: 60_000 },
    async () => {
      servers.set({});
      const place = placeSession(session, settings());
      try {
        const vote = ['motions', place.name, '--real-agent'];
        const planned = await runJury([...vote, '--dry-run'], place.folder);
        expect(planned.stdout).toMatch(/Plan: \d+ reviews in \d+ calls, .*, about \$0\.\d\d\./);
        expect((await runJury(vote, place.folder)).code).toBe(0);
        const copy = `${place.results}-copy`;
        cpSync(place.results, copy, { recursive: true });
        expect(firstDifference(place.results, copy)).toBeNull();
        for (const [name, from, to] of changes) {
          const file = path.join(copy, name);
          const text = readFileSync(file, 'utf8');
          const changed = text.replace(from, to);
          expect([name, changed === text]).toEqual([name, false]);
          writeFileSync(file, changed);
          expect(firstDifference(place.results, copy)).toContain(name.replace(/\.\w+$/, ''));
          writeFileSync(file, text);
        }
        const [packet = ''] = readdirSync(path.join(copy, 'review_packets'));
        cpSync(path.join(copy, 'review_packets', packet), path.join(copy, 'review_packets/x.json'));
        expect(firstDifference(place.results, copy)).toContain('review_packets/x.json');
      } finally {
        place.remove();
      }
    },
  );
});
