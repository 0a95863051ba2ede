import type pg from 'pg';

import { originOf, signCheckpoint } from '@/lib/ledger/checkpoint';
import { createStores, type Stores } from '@/lib/db/create-stores';
import { makeWorkspace } from '@/lib/db/workspaces';
import { storedContent } from '@/lib/services/action-content';
import { envelopeText } from '@/lib/shared/dsse';

import { nodeSha256 as sha256 } from '../node-crypto';
import { second } from './cast';
import { signTold } from './sign-told';
import type { ToldLedger } from './teller';

/**
 * Writes a told log through the real stores, batch by batch, each with its checkpoint in its own transaction. The database's clock goes
 * on as it is: what is told lies long before it.
 */
export async function writeTold(pool: pg.Pool, told: ToldLedger): Promise<Stores> {
  const { workspace, people } = told.cast;
  await makeWorkspace(pool, workspace, 'Told');
  const stores = createStores(pool, workspace);
  await stores.transactor.withHead(async (tx) => {
    for (const [at, envelope] of told.trustRoots.entries()) await stores.authority.addTrustRoot(tx, { version: at + 1, envelope: envelopeText(envelope) });
    for (const [at, envelope] of told.rosters.entries()) await stores.authority.addRoster(tx, { version: at + 1, envelope: envelopeText(envelope) });
    for (const { revision, digest, text, signature, apply } of told.policies) {
      const row = { revision, digest, text, format: 'yaml', signature: envelopeText(signature), statement: envelopeText(apply) } as const;
      await stores.authority.addPolicy(tx, { ...row, applied_by: people.owner, applied_at: second(0) });
    }
    await stores.content.add(tx, told.contents.map(storedContent));
  });
  for (const { receipts, checkpoint } of await signTold(told)) {
    await stores.transactor.withHead(async (tx) => {
      await stores.ledger.append(tx, receipts);
      if (!checkpoint) return;
      const { size, root } = await stores.ledger.head(tx);
      const head = { origin: originOf(workspace), size: Number(size), root, extensions: [] };
      await stores.ledger.addCheckpoint(tx, size, await signCheckpoint(sha256, head, checkpoint.publicKey, checkpoint.signer.sign));
    });
  }
  return stores;
}
