import { expect, it } from 'vitest';
import { offerPanels } from '../../src/core/panel-offers.ts';

const nothing = { clients: [], vendors: [], servers: [] };
const server = { name: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1', models: ['m: "1"'] };
const idsOf = (found: Partial<typeof nothing> | object) =>
  offerPanels({ ...nothing, ...found }).map(({ name, seats }) => [name, seats.map(({ id }) => id)]);

it('offers nothing where nothing is', () => {
  expect(idsOf({ servers: [{ ...server, models: [] }] })).toEqual([]);
});

it('the cheapest is what costs nothing, the most different one of each vendor', () => {
  expect(
    idsOf({ vendors: ['anthropic', 'openai'], clients: ['codex'], servers: [server] }),
  ).toEqual([
    ['cheapest', ['local']],
    ['balanced', ['anthropic', 'local']],
    ['different', ['anthropic', 'codex', 'local']],
  ]);
});

it('panels that are the same are one offer', () => {
  expect(idsOf({ clients: ['claude'] })).toEqual([['cheapest', ['claude']]]);
});

it('no vendor sits on a panel twice', () => {
  const offers = offerPanels({
    ...nothing,
    clients: ['codex', 'opencode'],
    vendors: ['openai', 'google'],
  });
  for (const { seats } of offers)
    expect(new Set(seats.map(({ persona }) => persona)).size).toBe(seats.length);
});
