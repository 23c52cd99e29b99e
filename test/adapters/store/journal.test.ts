import { join } from 'node:path';
import { describeSteps } from '../../contracts/steps.ts';
import { openJournal } from '../../../src/adapters/store/journal.ts';
import { makeTemporary } from './temporary.ts';

describeSteps('a journal file', async () => {
  const { folder, remove } = await makeTemporary();
  return { open: () => openJournal(join(folder, 'journal.sqlite')), remove };
});
