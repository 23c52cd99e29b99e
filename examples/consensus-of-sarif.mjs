// What two analysers agree on: reads their SARIF files and prints the claims, those of both first.
import { fileURLToPath } from 'node:url';
import { createJury } from 'jury';

const files =
  process.argv.length > 2
    ? process.argv.slice(2)
    : ['alpha', 'beta'].map(name => fileURLToPath(new URL(`sarif/${name}.sarif`, import.meta.url)));
const { claims, strategy } = await createJury().consensus({ files });
console.log(`${claims.length} claims, matched by ${strategy.name}`);
for (const { severity, text, location, supporters } of claims.toSorted(
  (one, other) => other.supporters.length - one.supporters.length,
)) {
  console.log(`${supporters.length} of 2: ${severity} ${location?.path}:${location?.line} ${text}`);
}
