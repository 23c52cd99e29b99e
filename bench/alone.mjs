// One benchmark in this process, for `main.mjs`: `alone.mjs FILE CHOICE` sends what FILE measured.
import { pathToFileURL } from 'node:url';

const [, , file = '', choice = '{}'] = process.argv;
// All that it has started is of its group.
process.once('disconnect', () => process.kill(-process.pid, 'SIGKILL'));
const { title, aim, measure } = await import(pathToFileURL(file).href);
process.send?.({ title, aim });
const measured = await measure(JSON.parse(choice));
process.send?.(measured, () => process.exit());
