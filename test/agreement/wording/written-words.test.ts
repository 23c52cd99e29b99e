import { describe, expect, it } from 'vitest';
import { hashOf, wordsIn } from '../../../src/agreement/wording/words.ts';

describe('a written word', () => {
  it.each([
    ['checks', 'check', ['check'], ['check']],
    ['Checks', 'check', ['check'], ['check']],
    ['404', '404', ['404'], ['404']],
    ['sha256', '#sha256', ['sha256'], ['sha256']],
    ['256sha', '256sha', ['256sha'], ['256sha']],
    ['userId', '#userid', ['user', 'id'], ['userid']],
    ['user_ids', '#userids', ['user', 'id'], ['user', 'id']],
    ['V2', '#v2', ['v2'], ['v2']],
    ['naïve', 'naïv', ['naïv'], ['naïv']],
    ['is_the_id', '#istheid', ['id'], ['is', 'the', 'id']],
  ])('%j has the key %j, the stems %j and the pieces %j', (run, key, stems, pieces) =>
    expect(wordsIn(run).words).toMatchObject([{ run, key, stems: stems.map(hashOf), pieces }]),
  );
});
