import { createPool } from '@/lib/db/pool';
import { createStores } from '@/lib/db/create-stores';
import { isId } from '@/lib/shared/ids';
import { receipts } from '@/lib/testing/row-builders';

// A process of its own that appends to a log and tells its parent each index once it is durable. Run by tests with `fork`.
const [url, workspace, count] = process.argv.slice(2);
if (url === undefined || workspace === undefined || !isId('workspace', workspace)) throw new Error('append-process URL WORKSPACE COUNT');
const pool = createPool({
  url,
  max: 4,
  onIdleError: (error) => {
    throw error;
  },
});
const stores = createStores(pool, workspace);
let left = Number(count);
const worker = async (): Promise<void> => {
  while (left > 0) {
    left -= 1;
    const batch = await receipts(workspace, 1);
    const [index] = await stores.transactor.withHead((tx) => stores.ledger.append(tx, batch));
    process.send?.({ index: String(index), id: batch[0]?.id });
  }
};
await Promise.all([worker(), worker(), worker()]);
await pool.end();
process.disconnect();
