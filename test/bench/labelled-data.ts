/** One repository with labelled findings, as `bench:consensus` reads it. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const say = (text: string, golden: string | null, label: string) => [
  { text, path: 'src/cart.ts', line: 4, severity: 'P1', golden, label },
];

export function writeData() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'jury-labelled-'));
  const claims = {
    'swift-and-thorough-reviewer-of-carts#1': say(
      'total() subtracts the price of each item from the sum',
      'G1',
      'defect:G1',
    ),
    'swift-and-thorough-reviewer-of-carts#2': say(
      'The sum in total() subtracts each price',
      'G1',
      'defect:G1',
    ),
    'silent#1': [],
    'slow#1': say('The name of the variable is too short', null, 'non-material'),
  };
  const pulls = [{ golden: ['G1'], panels: { claims } }];
  writeFileSync(
    path.join(folder, 'shop.json'),
    JSON.stringify({ repository: 'shop', pull_requests: [...pulls, ...pulls] }),
  );
  return folder;
}
