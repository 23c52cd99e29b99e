import { describe, expect, it } from 'vitest';
import { judgeEvidence, type Evidence } from '../../../src/core/integrity/evidence.ts';

const artifacts = (['failing_run', 'fix', 'passing_run', 'coverage'] as const).map(kind => ({ kind, ref: `${kind}.log`, rev: null }));
const recommendation = (id: string, changes: Partial<Evidence[number]> = {}): Evidence[number] => ({ recommendation_id: id, text: 'Guard the sum', artifacts, ...changes });

describe('evidence', () => {
  it('proves a recommendation only with all four artifacts, each still standing', async () => {
    const judged = await judgeEvidence([recommendation('r1'), recommendation('r2', { artifacts: artifacts.slice(1), state: 'proven' }), recommendation('r3', { artifacts: [] })], ref => Promise.resolve(ref !== ''));
    expect(judged).toEqual({
      recommendations: [{ recommendation_id: 'r1', text: 'Guard the sum', state: 'proven', missing: [] }, { recommendation_id: 'r2', text: 'Guard the sum', state: 'unproven', missing: ['failing_run'] }],
      dropped: 1,
    });
  });

  it('takes nothing for proof that does not resolve', async () => {
    const judged = await judgeEvidence([recommendation('r1')], ref => Promise.resolve(ref !== 'fix.log'));
    expect(judged.recommendations[0]).toMatchObject({ state: 'unproven', missing: ['fix'] });
  });
});
