import { expect, test } from 'vitest';

import type { PriorAction } from '@/lib/context/snapshot';
import type { ActionId } from '@/lib/shared/ids';
import { asJson } from '@/lib/shared/as-json';
import { at, snapshotWith } from '@/lib/testing/engine-fixtures';

import { parseSnapshot } from './parse-snapshot';

const plain: PriorAction = { action: 'act_0000000000000000000000' as ActionId, tool: 'shell', operation: 'exec', effect: 'execute', at: at(5), labels: [] };

test('what prior actions did and moved is read as it was stored', () => {
  const snapshot = snapshotWith({ prior: { counts: { 'shell.exec': 2 }, recent: [plain, { ...plain, effects: ['execute', 'communicate'], amount: 900.01 }], total: 2 } });
  expect(parseSnapshot(asJson(snapshot))).toEqual(snapshot);
});

test('an effect that there is not makes it unreadable', () => {
  const odd = { ...plain, effects: ['execute', 'sing'] } as unknown as PriorAction;
  expect(parseSnapshot(asJson(snapshotWith({ prior: { counts: {}, recent: [odd], total: 1 } })))).toBeUndefined();
});
