import { createStores, type Stores } from '@/lib/db/create-stores';
import { createPool } from '@/lib/db/pool';
import { groupCommit, type SignCheckpoint } from '@/lib/services/group-commit';
import { isId } from '@/lib/shared/ids';

import { isCommitStep, testCheckpoints, type CommitStep, type Told } from './commit-steps';
import { receipts } from './row-builders';

// A process of its own in which many writers commit together, and which tells its parent each receipt once it was answered. With a
// step it ends there by SIGKILL, in the batch that is numbered so. Run by tests with `fork`: URL WORKSPACE WRITERS EACH [STEP BATCH].
const [url, workspace, writers, each, step, batch] = process.argv.slice(2);
if (url === undefined || workspace === undefined || !isId('workspace', workspace)) throw new Error('commit-process URL WORKSPACE WRITERS EACH [STEP BATCH]');

const die = (): Promise<never> => {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
};

/** The stores, ending the process at one step of one batch. What happens up to there is what always happens. */
function dyingAt(stores: Stores, at: CommitStep, inBatch: number): Stores {
  let begun = 0;
  const dies = async (now: CommitStep): Promise<void> => {
    if (now === at && begun === inBatch) await die();
  };
  return {
    ...stores,
    transactor: {
      ...stores.transactor,
      withHeadAnd: async (read, work) => {
        begun += 1;
        await dies('before the head is locked');
        const done = await stores.transactor.withHeadAnd(read, async (tx, head, found) => {
          await dies('once the head is locked');
          const value = await work(tx, head, found);
          await dies('before the commit');
          return value;
        });
        await dies('after the commit, before answers leave');
        return done;
      },
    },
    ledger: {
      ...stores.ledger,
      append: async (tx, appended) => {
        const indexes = await stores.ledger.append(tx, appended);
        await dies('once the receipts are inserted');
        return indexes;
      },
      addCheckpoint: async (tx, size, note) => {
        await stores.ledger.addCheckpoint(tx, size, note);
        await dies('once the checkpoint is inserted');
      },
    },
  };
}

const signs = testCheckpoints(workspace);
let signed = 0;
const signCheckpoint: SignCheckpoint = async (size, root) => {
  signed += 1;
  if (step === 'while the checkpoint is signed' && signed === Number(batch)) await die();
  return await signs(size, root);
};

const pool = createPool({
  url,
  max: 2,
  onIdleError: (error) => {
    throw error;
  },
});
const stores = createStores(pool, workspace);
const commits = groupCommit(step !== undefined && isCommitStep(step) ? dyingAt(stores, step, Number(batch)) : stores, signCheckpoint);
const writer = async (): Promise<void> => {
  for (let n = 0; n < Number(each); n++) {
    const [receipt] = await receipts(workspace, 1);
    if (!receipt) throw new Error('One was made.');
    const outcome = await commits.submit({ epoch: null, session: null, action: null, receipts: [receipt], events: [] });
    if (outcome.state !== 'committed') throw new Error('A draft that rests on nothing is never stale.');
    process.send?.({ id: receipt.id, index: String(outcome.indexes[0]) } satisfies Told);
  }
};
await Promise.all(Array.from({ length: Number(writers) }, writer));
await commits.idle();
await pool.end();
process.disconnect();
