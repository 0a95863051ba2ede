import { Worker } from 'node:worker_threads';

import type { SignedReceipt } from '@/lib/ports/ledger-store';

import { chunkMaker, type ChunkMaker, type ChunkMakerSettings, type ChunkOrder } from './make-chunk';

export type ChunkThreads = { readonly make: ChunkMaker; readonly count: number; readonly stop: () => Promise<void> };

/** Makes chunks in so many threads, each order by the one that has fewest; without threads, in this one. A thread that fails fails its orders. */
export function chunkThreads(file: URL, count: number, settings: ChunkMakerSettings): ChunkThreads {
  if (count === 0) return { make: chunkMaker(settings), count, stop: () => Promise.resolve() };
  const threads = Array.from({ length: count }, () => new Thread(file, settings));
  return {
    make: (order) => threads.reduce((idlest, thread) => (thread.load < idlest.load ? thread : idlest)).make(order),
    count,
    stop: async () => void (await Promise.all(threads.map((thread) => thread.stop()))),
  };
}

type Waiting = { readonly resolve: (made: readonly SignedReceipt[]) => void; readonly reject: (cause: Error) => void };

class Thread {
  readonly #worker: Worker;
  /** Orders are answered in the order in which they were sent. */
  readonly #waiting: Waiting[] = [];

  constructor(file: URL, settings: ChunkMakerSettings) {
    this.#worker = new Worker(file, { workerData: settings });
    this.#worker.on('message', (made: readonly SignedReceipt[]) => this.#waiting.shift()?.resolve(made));
    this.#worker.on('error', (cause: Error) => {
      for (const { reject } of this.#waiting.splice(0)) reject(cause);
    });
  }

  get load(): number {
    return this.#waiting.length;
  }

  make(order: ChunkOrder): Promise<readonly SignedReceipt[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(order);
    });
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
