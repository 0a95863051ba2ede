import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** One query of an append, and whether the thread ends before it goes out or once its answer is in. */
export type ThreadDeath = { readonly query: 'BEGIN' | 'lock_head' | 'insert_receipts' | 'insert_checkpoint' | 'write_head' | 'COMMIT'; readonly when: 'before' | 'answered' };

/**
 * A commit thread as the plane runs it, that ends at the first such query: the driver's `query` is watched from outside, what runs is
 * the thread's own code.
 */
export async function dyingCommitThread(settings: { readonly databaseUrl: string; readonly stateDirectory: string }, { query, when }: ThreadDeath): Promise<URL> {
  const thread = pathToFileURL(path.resolve(import.meta.dirname, '../plane/commit-thread.ts')).href;
  const source = `
    import { register } from ${JSON.stringify(import.meta.resolve('tsx/esm/api'))};
    import { parentPort } from 'node:worker_threads';
    import pg from ${JSON.stringify(import.meta.resolve('pg'))};
    register();
    let begun = false;
    // What it does to get ready is no append.
    parentPort.on('message', ({ kind }) => (begun ||= kind === 'drafts'));
    Object.assign(process.env, ${JSON.stringify({ DATABASE_URL: settings.databaseUrl, COUNTERSIGN_STATE: settings.stateDirectory })});
    const { query } = pg.Client.prototype;
    pg.Client.prototype.query = function (...parts) {
      const name = typeof parts[0] === 'string' ? parts[0] : String(parts[0]?.name);
      const isIt = begun && name.startsWith(${JSON.stringify(query)});
      if (isIt && ${String(when === 'before')}) process.exit(1);
      const answer = query.apply(this, parts);
      // Heard of before whoever asked, so no answer leaves the thread.
      if (isIt) answer.then(() => process.exit(1), () => process.exit(1));
      return answer;
    };
    await import(${JSON.stringify(thread)});
  `;
  const file = path.join(settings.stateDirectory, `thread-that-dies-${when}-${query}.mjs`);
  await writeFile(file, source);
  return pathToFileURL(file);
}

/** A thread that ends without a word, or with a fault, before it takes anything. */
export const threadThat = (does: 'ends' | 'throws'): URL =>
  new URL(`data:text/javascript,${does === 'ends' ? 'process.exit(3)' : `throw new Error('It cannot begin.')`}`);
