import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createDatabase } from '@/lib/db/create-database';
import { claimServer, type Claim } from '@/lib/db/embedded/claim-server';
import { startPostgres, type EmbeddedPostgres } from '@/lib/db/embedded/start-postgres';

export type ManagedDatabase = { readonly url: string; stop(): Promise<void> };

export type DatabaseEvents = {
  /** The server was started again and is found elsewhere. */
  readonly moved: (url: string) => void;
  /** It cannot be brought back. */
  readonly lost: (reason: Error) => void;
  readonly write: (line: string) => void;
};

export const databaseName = 'countersign';
const patienceMs = 15_000;
/** A supervisor that is stopping holds its claim until its programs have ended. */
const claimPatienceMs = 6000;

/**
 * The embedded server of a state directory, kept running: if it ends, it is started again on the same port, so that the programs' pools
 * find it by connecting anew.
 */
export async function manageDatabase(stateDirectory: string, events: DatabaseEvents): Promise<ManagedDatabase> {
  const directory = path.join(stateDirectory, 'postgres');
  let stopping = false;
  let open = await openServer(directory);
  watch();

  function watch(): void {
    void open.server.exited.then(async () => {
      if (stopping) return;
      events.write('[database] the server ended; starting it again');
      const previous = open;
      try {
        open = await openServer(directory, previous.server.port);
      } catch (error) {
        events.lost(error instanceof Error ? error : new Error(String(error)));
        return;
      }
      // Told to stop while it was coming up.
      if (stopping) await close(open);
      else watch();
      if (open.url !== previous.url) events.moved(open.url);
    });
  }

  return {
    url: open.url,
    stop: async () => {
      stopping = true;
      await close(open);
    },
  };
}

type Open = { readonly server: EmbeddedPostgres; readonly claim: Claim; readonly url: string };

/**
 * Starts or adopts the server, claims it and makes the database. A server found running may be one whose supervisor was just killed and
 * which is about to end: then connecting fails, and a new one is started in its place.
 */
async function openServer(directory: string, port?: number): Promise<Open> {
  const begun = Date.now();
  for (;;) {
    const server = await startPostgres({ directory, ...(port === undefined ? {} : { port }) });
    let claim: Claim | undefined;
    try {
      claim = await claimServer(server.url);
      if (claim) return { server, claim, url: await createDatabase(server.url, databaseName) };
      if (Date.now() - begun > claimPatienceMs) break;
    } catch (error) {
      // A claim that stayed open would look like another supervisor's at the next try.
      await claim?.release();
      if (Date.now() - begun > patienceMs) throw error;
    }
    await pause(200);
  }
  // Two on one state directory would fight over ports and pins.
  throw new Error(`Countersign already runs on ${path.dirname(directory)}.`);
}

async function close({ server, claim }: Open): Promise<void> {
  await claim.release();
  await server.stop();
}
