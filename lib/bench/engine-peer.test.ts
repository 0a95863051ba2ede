import { describe, expect, test } from 'vitest';

import { decide } from '@/lib/engine/decide';

import { benchNow, engineCases } from './engine-cases';
import { casbinPeer } from './engine-casbin';
import { cedarPeer } from './engine-cedar';
import { loadPolicy } from './engine-load';
import { enginePolicy } from './engine-policy';

describe('what the engines are measured on', () => {
  const policy = loadPolicy(enginePolicy(30));
  const cases = engineCases(policy, 3, 3);

  test('asks for every kind of decision, and gets it', () => {
    for (const one of cases) expect([one.kind, decide(one.action, one.snapshot, policy, benchNow).decision]).toEqual([one.kind, one.wanted]);
    expect(new Set(cases.map(({ wanted }) => wanted))).toEqual(new Set(['ALLOW', 'MODIFY', 'STEP_UP', 'DEFER', 'DENY']));
  });

  test.each([['cedar', cedarPeer], ['casbin', casbinPeer]] as const)('%s says the same on an equivalent policy, as far as it can say it', async (_, start) => {
    const peer = await start(30, cases);
    for (const one of cases) expect([one.kind, peer.allows(one)]).toEqual([one.kind, one.elsewhere === 'allow']);
  });
});
