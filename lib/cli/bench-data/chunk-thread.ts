import { parentPort, workerData } from 'node:worker_threads';

import { chunkMaker, type ChunkMakerSettings, type ChunkOrder } from './make-chunk';

// The other end of `chunkThreads`: takes orders one by one and sends back what it made.
const port = parentPort;
if (!port) throw new Error('This runs as a thread of "countersign bench-data".');
// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- plain data of ours, copied by the runtime and so of the type it was.
const make = chunkMaker(workerData as ChunkMakerSettings);
port.on('message', (order: ChunkOrder) => {
  void make(order).then((made) => port.postMessage(made));
});
