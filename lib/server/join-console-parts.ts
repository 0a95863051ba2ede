import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { scryptPasswords } from '@/lib/auth/scrypt-passwords';
import type { createPool } from '@/lib/db/pool';
import { createStores } from '@/lib/db/create-stores';
import { postgresConsoleReads } from '@/lib/db/reads/console-reads';
import { reconciliationReads } from '@/lib/db/reads/reconciliation-reads';
import { sessionHistory } from '@/lib/db/reads/session-history';
import { authorityInForce } from '@/lib/services/authority-in-force';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { judgeHere } from '@/lib/services/judge-change';
import { keyring, standingOf, type Keyring, type KeyStanding } from '@/lib/services/keyring';
import { receiptSigner } from '@/lib/services/sign-receipt';
import { toBase64 } from '@/lib/shared/encoding';
import type { WorkspaceId } from '@/lib/shared/ids';

import { judgeInThread } from './compare-thread';
import { compilePolicyText } from './compile-policy-text';
import { delegatedKeys } from './delegated-keys';
import { keyFromPem, type SigningKey } from './ed25519';
import type { Environment } from './env';
import { attachedGuards } from './guard-directory/attached-guards';
import { fileRecoveryMemory } from './file-recovery-memory';
import { fileTightenedMemory } from './file-tightened-memory';
import { filePinStore, setUpPin, writePin } from './file-pin-store';
import { nodeSha256 } from './node-sha256';
import { notifiersOf } from './notices/notifiers';
import { productVersion } from './product-version';
import { randomIds } from './random-ids';
import { signerOfKey } from './signers/key-signer';
import { starterPolicy } from './starter-policy';
import { suggestInThread } from './suggesting';
import { systemClock } from './system-clock';
import { verifySignature } from './verify-signature';

type Joined = {
  readonly settings: Environment;
  readonly pool: ReturnType<typeof createPool>;
  readonly workspace: WorkspaceId;
  /** The console's receipt keys; which of them signs is the trust root's to say. */
  readonly keys: readonly [SigningKey, ...SigningKey[]];
  /** Whose pin file this process writes: no two processes write one. */
  readonly pinsOf: 'console' | 'cli';
};

/** Everything the console's use cases need, for a process that runs on the state directory. */
export async function joinConsoleParts({ settings, pool, workspace, keys, pinsOf }: Joined): Promise<ConsoleParts> {
  const { stateDirectory } = settings;
  const ids = randomIds();
  const stores = createStores(pool, workspace);
  const pins = filePinStore({ stateDirectory, role: pinsOf, rootPin: settings.rootPin });
  const cryptography = { verify: verifySignature, sha256: nodeSha256 };
  const [own, ...more] = keys;
  const ring = keyring('console', [signerOfKey(own), ...more.map(signerOfKey)]);
  const inForce = authorityInForce({ authority: stores.authority, credentials: stores.credentials, log: stores.log, pins, cryptography, compile: compilePolicyText, judge: pinsOf === 'console' ? judgeInThread() : judgeHere(compilePolicyText), clock: systemClock, recoveries: fileRecoveryMemory(stateDirectory), tightened: fileTightenedMemory(stateDirectory), managed: [stateDirectory], onLook: (seen) => follow(ring, standingOf(seen)) });
  return {
    ...stores,
    workspace,
    cryptography: { ...cryptography, isAt: inForce.isAt },
    ids,
    clock: systemClock,
    sign: receiptSigner({ workspace, sha256: nodeSha256, signer: ring, ids }),
    signer: { get keyId() { return ring.current().keyId; }, sign: (bytes) => ring.current().sign(bytes) },
    productVersion: productVersion(),
    passwords: scryptPasswords(),
    compile: compilePolicyText,
    inForce,
    pins,
    guards: attachedGuards(pinsOf === 'console' ? settings.guardDirectories : [], process.geteuid?.() ?? -1),
    pinRoot: (pin) => writePin(path.join(stateDirectory, setUpPin), pin),
    reads: postgresConsoleReads(pool, workspace),
    reconciliation: reconciliationReads(pool, workspace),
    history: sessionHistory(pool, workspace),
    serviceKeys: () => delegatedKeys(stateDirectory),
    starterPolicy,
    suggest: suggestInThread(),
    channels: pinsOf === 'console' ? notifiersOf(settings.notices).map(({ channel }) => channel) : [],
    demoOwner: await demoOwner(stateDirectory),
  };
}

const follow = (ring: Keyring, standing: KeyStanding | undefined): void => {
  if (standing) ring.follow(standing);
};

/** The key file that only the demo writes: with it this process countersigns enrolments, and every screen says so. */
async function demoOwner(stateDirectory: string): Promise<ConsoleParts['demoOwner']> {
  let pem: string;
  try {
    pem = await readFile(path.join(stateDirectory, 'demo-owner-key.pem'), 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return null;
    throw cause;
  }
  const key = keyFromPem(pem);
  return { key: { id: key.id, kind: 'file-ed25519', public_key: toBase64(key.publicKey) }, signer: key.signer };
}
