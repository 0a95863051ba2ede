import path from 'node:path';

import { assertDurable } from '@/lib/db/assert-durable';
import { createStores } from '@/lib/db/create-stores';
import { createPool } from '@/lib/db/pool';
import { openWorkspace } from '@/lib/db/workspaces';
import { checkpointSigner } from '@/lib/services/checkpoint-signer';
import { authenticator } from '@/lib/services/authenticate';
import { authorityInForce } from '@/lib/services/authority-in-force';
import { checkpointExport } from '@/lib/services/checkpoint-export';
import { coverLog } from '@/lib/services/cover-log';
import { groupCommit } from '@/lib/services/group-commit';
import { keyring, standingOf } from '@/lib/services/keyring';
import type { PlaneParts } from '@/lib/services/plane-parts';
import type { PlaneServices } from '@/lib/services/plane-services';
import { planeServices } from '@/lib/services/plane-use-cases';
import { proveSession } from '@/lib/services/prove-session';
import { receiptSigner } from '@/lib/services/sign-receipt';
import { sessionContexts } from '@/lib/services/session-contexts';

import { blocklistPoint } from './blocklist-point';
import { checkpointFile } from './checkpoint-file';
import { checkpointWebhook, webhookStateFile } from './checkpoint-webhook';
import { checkpointing, type Checkpointing } from './checkpointing';
import { startCommitThread } from './commit-thread';
import { embeddingsEndpoint } from './embeddings-endpoint';
import { compilePolicyText } from './compile-policy-text';
import { judgeInThread } from './compare-thread';
import type { Environment } from './env';
import { filePinStore } from './file-pin-store';
import { fileRecoveryMemory } from './file-recovery-memory';
import { fileTightenedMemory } from './file-tightened-memory';
import type { Logger } from './logger';
import { nodeBase64 } from './node-base64';
import { nodeSha256 } from './node-sha256';
import { asking } from './asking';
import { informationPoints } from './information-points';
import { timekeeping } from './timekeeping';
import { rememberedEmbeddings } from './remembered-embeddings';
import { randomIds } from './random-ids';
import { planeKeys } from './plane-keys';
import { allowlistDigests } from './guard-directory/attached-guards';
import { systemClock } from './system-clock';
import { verifySignature } from './verify-signature';

export type PlaneRuntime = {
  readonly services: PlaneServices;
  readonly stop: () => Promise<void>;
  /** Settles when the commit thread is gone, by `stop` or by a fault after which nothing can be committed. */
  readonly commitsEnded: Promise<void>;
};

/**
 * Joins everything the plane is made of. With `commitThread` (the file that runs one) commits run beside deciding, on a
 * core of their own. Throws when the database is not durable: then it must not start.
 */
export async function startPlane(environment: Environment, logger: Logger, commitThread?: URL): Promise<PlaneRuntime> {
  if (environment.databaseUrl === undefined) throw new Error('DATABASE_URL is not set.');
  const pool = createPool({
    url: environment.databaseUrl,
    max: 12,
    genericPlans: true,
    onIdleError: (cause) => logger.warn('a database connection broke', { cause }),
  });
  await assertDurable(pool);
  const ids = randomIds();
  const workspace = await openWorkspace(pool, ids.make('workspace'), 'default');
  const stores = createStores(pool, workspace);
  const own = await planeKeys(environment);
  const keys = keyring('plane', own.receipts);
  // A key service signs tree heads instead of the process: the root lists its key with the plane's role, and its range is followed alike.
  const headKeys = own.checkpoints ? keyring('plane', [own.checkpoints]) : keys;
  const thread = commitThread && (await startCommitThread(commitThread));
  const cryptography = { verify: verifySignature, sha256: nodeSha256 };
  const authority = authorityInForce({
    authority: stores.authority,
    credentials: stores.credentials,
    log: stores.log,
    pins: filePinStore({ stateDirectory: path.resolve(environment.stateDirectory), role: 'plane', rootPin: environment.rootPin }),
    cryptography,
    compile: compilePolicyText,
    // Beside a commit thread there are programs to run as threads; without, as in tests, this thread does it.
    ...(commitThread ? { judge: judgeInThread() } : {}),
    clock: systemClock,
    recoveries: fileRecoveryMemory(path.resolve(environment.stateDirectory)),
    tightened: fileTightenedMemory(path.resolve(environment.stateDirectory)),
    managed: [path.resolve(environment.stateDirectory)],
    onLook: (seen) => {
      const standing = standingOf(seen);
      if (!standing) return;
      for (const ring of new Set([keys, headKeys])) ring.follow(standing);
      thread?.follow(standing);
    },
  });
  const proving = { ...cryptography, isAt: authority.isAt };
  const signCheckpoint = checkpointSigner({ workspace, sha256: nodeSha256, at: headKeys.at });
  let checkpoints: Checkpointing | null = null;
  const sign = receiptSigner({ workspace, sha256: nodeSha256, signer: keys, ids, base64: nodeBase64, unchecked: new Set(['action_decided']) });
  const parts: PlaneParts = {
    workspace,
    stores,
    reader: stores.log,
    authority,
    people: stores.people,
    cryptography: proving,
    sessions: sessionContexts(stores.sessions, async (...found) => await proveSession({ ...stores, reader: stores.log, cryptography: proving }, await authority.current(), ...found), nodeSha256),
    commits: thread ?? groupCommit(stores, own.checkpoints ? null : signCheckpoint),
    canSign: keys.canSign,
    checkpoints: () => checkpoints?.health() ?? null,
    events: stores.events,
    sign,
    proposing: { ...stores, workspace, cryptography: proving, ids, sign, compile: compilePolicyText, inForce: authority },
    ids,
    clock: systemClock,
    sha256: nodeSha256,
    consoleUrl: environment.consoleUrl,
    information: await informationPoints(environment.informationPoints),
    allowlists: () => allowlistDigests(environment.guardDirectories),
    points: environment.blocklist === undefined ? [] : [await blocklistPoint(environment.blocklist)],
    embeddings: environment.embeddings === undefined ? null : rememberedEmbeddings(await embeddingsEndpoint(environment.embeddings)),
  };
  const authenticate = authenticator({ credentials: stores.credentials, authority, sha256: nodeSha256, clock: systemClock });
  const { services, stop: stopServices } = planeServices(parts, authenticate, (cause) => logger.error('refused calls could not be summed up', { cause }));
  // The keys' ranges are known before anything is signed.
  await authority.refresh();
  checkpoints = checkpointing({
    cover: async () => {
      const coverage = await coverLog({ ...stores, reader: stores.log, signCheckpoint });
      for (const ring of new Set([keys, headKeys])) ring.reached(coverage.size);
      return coverage;
    },
    exports: [
      ...(environment.checkpointFile === undefined ? [] : [checkpointFile(environment.checkpointFile)]),
      ...(environment.checkpointWebhook === undefined ? [] : [checkpointWebhook(environment.checkpointWebhook, path.join(path.resolve(environment.stateDirectory), webhookStateFile))]),
    ].map((sink) => checkpointExport({ workspace, reader: stores.log, sha256: nodeSha256 }, sink)),
    logger,
    now: Date.now,
  });
  const closing = checkpoints;
  const time = timekeeping(parts, logger);
  const asks = asking(parts, logger);
  return {
    services,
    commitsEnded: thread?.ended ?? new Promise(() => undefined),
    stop: async () => {
      await asks.stop();
      await time.stop();
      await stopServices();
      await parts.commits.idle();
      // Last: the checkpoint and the pin that are left behind speak of everything that was answered.
      await closing.stop();
      await authority.refresh().catch((cause: unknown) => logger.error('the log could not be pinned', { cause }));
      await thread?.stop();
      await pool.end();
    },
  };
}
