import { openRepository } from '../../../src/adapters/git/repository.ts';
import { describeRepository } from '../../contracts/repository.ts';
import { createSampleRepository } from './sample-repository.ts';

describeRepository('git', () => {
  const sample = createSampleRepository();
  sample.write('a.txt', 'old\n');
  sample.write('c.txt', 'gone\n');
  sample.commit('before');
  sample.write('a.txt', 'new\n');
  sample.write('b.txt', 'added\n');
  sample.remove('c.txt');
  sample.commit('after');
  sample.git('branch', 'head');
  return openRepository(sample.root);
});
