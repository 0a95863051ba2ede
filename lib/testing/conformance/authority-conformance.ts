import { expect, test } from 'vitest';

import { emptyRoot } from '@/lib/ledger/merkle/hash';
import type { AuthorityStore } from '@/lib/ports/authority-store';
import type { LedgerStore } from '@/lib/ports/ledger-store';
import type { Transactor } from '@/lib/ports/transaction';
import type { WorkspaceId } from '@/lib/shared/ids';
import { toHex } from '@/lib/shared/encoding';
import { nodeSha256 } from '@/lib/testing/node-crypto';
import { aDigest, at, later, receipts } from '@/lib/testing/row-builders';

export type AuthorityFixture = {
  readonly workspace: WorkspaceId;
  readonly transactor: Transactor;
  readonly authority: AuthorityStore;
  readonly ledger: LedgerStore;
};

const policy = (revision: number) => ({
  revision, digest: aDigest(`policy ${String(revision)}`), text: 'rules: []\n# “\u00e9” \\', format: 'yaml', signature: '{"s":1}',
  statement: '{"r":1}', applied_by: 'root@example.com', applied_at: at,
}) as const;

export function authorityConformance(open: () => AuthorityFixture): void {
  test('trust roots and rosters come back in the order of their versions, and none is replaced', async () => {
    const { transactor, authority } = open();
    const [one, two] = [{ version: 1, envelope: 'one' }, { version: 2, envelope: 'two' }];
    await transactor.withHead(async (tx) => {
      for (const row of [two, one]) await authority.addTrustRoot(tx, row);
      await authority.addRoster(tx, one);
      expect(await authority.rosters(tx)).toEqual([one]);
    });
    expect(await authority.trustRoots()).toEqual([one, two]);
    await expect(transactor.withHead((tx) => authority.addTrustRoot(tx, { version: 1, envelope: 'forged' }))).rejects.toThrow();
    await expect(transactor.withHead((tx) => authority.addRoster(tx, { version: 1, envelope: 'forged' }))).rejects.toThrow();
  });

  test('policies come newest first and with their exact text', async () => {
    const { transactor, authority } = open();
    await transactor.withHead(async (tx) => {
      for (const revision of [1, 2, 3]) await authority.addPolicy(tx, policy(revision));
    });
    expect(await authority.policies(2)).toEqual([policy(3), policy(2)]);
    await expect(transactor.withHead((tx) => authority.addPolicy(tx, policy(3)))).rejects.toThrow();
    expect(await authority.policiesOf(policy(2).digest)).toEqual([policy(2)]);
    expect(await authority.policiesOf(aDigest('another'))).toEqual([]);
  });

  test('a switch is on from its throw to its release', async () => {
    const { transactor, authority } = open();
    const all = { scope: 'all', subject: '*', thrown_by: 'root@example.com', thrown_at: at } as const;
    const tool = { scope: 'tool', subject: 'mail', thrown_by: 'root@example.com', thrown_at: later } as const;
    await transactor.withHead(async (tx) => {
      await authority.throwSwitch(tx, all);
      await authority.throwSwitch(tx, tool);
    });
    expect(await authority.switches()).toEqual([all, tool]);
    const release = () => transactor.withHead((tx) => authority.releaseSwitch(tx, 'all', '*', later));
    expect([await release(), await release()]).toEqual([true, false]);
    expect(await authority.switches()).toEqual([tool]);
  });

  test('the position is the log’s: epoch, size, and a root that every append changes', async () => {
    const { workspace, transactor, authority, ledger } = open();
    const roots: Uint8Array[] = [(await authority.position()).root];
    for (const batch of [await receipts(workspace, 3), await receipts(workspace, 260)]) {
      await transactor.withHead(async (tx) => {
        await ledger.append(tx, batch);
        await transactor.raiseEpoch(tx);
      });
      roots.push((await authority.position()).root);
    }
    const { epoch, size, now } = await authority.position();
    expect({ epoch, size }).toEqual({ epoch: 2n, size: 263n });
    expect(new Date(now).toISOString()).toBe(now);
    expect(roots[0]).toEqual(emptyRoot(nodeSha256));
    expect(new Set(roots.map(toHex)).size).toBe(3);
  });
}
