/** No answer that states a critical ends in 0, however it is stated and whatever else is said. */
import { expect, it } from 'vitest';
import { createChangedRepository, jury, writePanel } from '../../cli/jury.ts';
import { makeAnswer } from './answers.ts';

it('of 300 random ones none passes', { timeout: 3_600_000 }, () => {
  const sample = createChangedRepository();
  const control = 'None\nVERDICT: safe\nEND OF ANSWER';
  const answers = [control, ...Array.from({ length: 300 }, (_, seed) => makeAnswer(seed))];
  const passed = answers.filter(answer => {
    const script = `console.log(${JSON.stringify(answer)});`;
    const config = writePanel(sample, [{ id: 'r', script }]);
    return jury(sample.root, ['review', '--config', config, '--fresh']).code === 0;
  });
  expect(passed).toEqual([control]);
});
