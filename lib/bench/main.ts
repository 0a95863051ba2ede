import { parseArgs } from 'node:util';

import { benchApprovals } from './approvals';
import { benchEngine } from './engine';
import { benchLedger } from './ledger';
import { benchPlane } from './plane';
import { benchProof } from './proof';

type Sizes = { readonly seconds?: number; readonly receipts?: number; readonly state?: string };

const areas: Readonly<Record<string, (sizes: Sizes) => Promise<object>>> = { engine: benchEngine, plane: benchPlane, ledger: benchLedger, proof: benchProof, approvals: benchApprovals };

const usage = `usage: npm run bench -- ${Object.keys(areas).join('|')} [--seconds=N] [--receipts=N] [--state=DIR] [--json]
  --seconds=N    how long the plane is driven each time
  --receipts=N   how long the ledger's log is (default 5000000), or the log that is replayed (default 100000)
  --state=DIR    a log that "countersign bench-data" has filled, instead of one that is made for this run and removed`;

function sizesIn(args: string[]): { readonly area: string; readonly json: boolean; readonly sizes: Sizes } {
  const options = { seconds: { type: 'string' }, receipts: { type: 'string' }, state: { type: 'string' }, json: { type: 'boolean' } } as const;
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  const [area = '', ...more] = positionals;
  if (more.length > 0) throw new TypeError('Give one area.');
  const number = (text: string): number => {
    if (!/^\d+$/.test(text)) throw new TypeError(`${text} is no number.`);
    return Number(text);
  };
  const sizes = {
    ...(values.seconds === undefined ? {} : { seconds: number(values.seconds) }),
    ...(values.receipts === undefined ? {} : { receipts: number(values.receipts) }),
    ...(values.state === undefined ? {} : { state: values.state }),
  };
  return { area, json: values.json === true, sizes };
}

function asked(): ReturnType<typeof sizesIn> | undefined {
  try {
    return sizesIn(process.argv.slice(2));
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

const call = asked();
const area = call && areas[call.area];
if (!area) {
  console.error(usage);
  process.exit(2);
}
const figures = await area(call.sizes);
console.log(JSON.stringify(figures, null, call.json ? 0 : 2));
process.exit(0);
