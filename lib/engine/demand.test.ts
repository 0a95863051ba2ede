import { describe, expect, test } from 'vitest';

import type { ApprovalDemand } from './decision';
import { joinDemands } from './demand';

const demand = (more: Partial<ApprovalDemand>): ApprovalDemand => ({ approvers: ['a'], all_groups: false, quorum: 1, timeout_s: 1800, separation: true, ...more });
const backup = { escalate: { to: ['c'], after_s: 60 } };

describe('STEP_UPs that join', () => {
  test('ask all groups, the highest quorum, the shortest time, and keep the separation of duties', () => {
    expect(joinDemands([demand({ separation: false }), demand({ approvers: ['b'], quorum: 3, timeout_s: 60 })])).toEqual({
      approvers: ['a', 'b'], all_groups: true, quorum: 3, timeout_s: 60, separation: true,
    });
  });

  test('of the same groups stay as they are', () => {
    expect(joinDemands([demand({ approvers: ['a', 'b'] }), demand({ approvers: ['a', 'b'], quorum: 2 })])?.all_groups).toBe(false);
  });

  test('reach a backup group only when every one of them names it', () => {
    expect(joinDemands([demand(backup), demand(backup)])?.escalate).toEqual(backup.escalate);
    expect(joinDemands([demand(backup), demand({})])?.escalate).toBeUndefined();
    expect(joinDemands([demand({}), demand(backup)])?.escalate).toBeUndefined();
    expect(joinDemands([demand(backup), demand({ escalate: { to: ['c'], after_s: 61 } })])?.escalate).toBeUndefined();
  });

  test('come to the same in any order', () => {
    const all = [demand(backup), demand({ approvers: ['b'] }), demand({ approvers: ['a', 'b'], ...backup }), demand({ quorum: 2 })];
    const joined = joinDemands(all);
    expect(joinDemands([...all].reverse())).toEqual(joined);
    expect(joinDemands([...all.slice(2), ...all.slice(0, 2)])).toEqual(joined);
  });

  test('of nobody are none', () => {
    expect(joinDemands([])).toBeNull();
  });
});
