import { rm } from 'node:fs/promises';
import path from 'node:path';

import { scryptPasswords } from '@/lib/auth/scrypt-passwords';
import { createStores } from '@/lib/db/create-stores';
import { createPool } from '@/lib/db/pool';
import { openWorkspace } from '@/lib/db/workspaces';
import type { Ids } from '@/lib/ports/ids';
import { generateKey, keyFromPem, type SigningKey } from '@/lib/server/ed25519';
import { filePinStore, setUpPin } from '@/lib/server/file-pin-store';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { randomIds } from '@/lib/server/random-ids';
import { ownServiceKey } from '@/lib/server/service-keys';
import { provisionWorkspace, type Provision } from '@/lib/services/provision-workspace';
import { receiptSigner } from '@/lib/services/sign-receipt';
import { toBase64 } from '@/lib/shared/encoding';
import type { PublicKeyEntry } from '@/lib/shared/keys';

import { demoAgents, demoVouching, tokenPrefixes } from './demo-agents';
import { demoAdmin, demoPeople } from './demo-people';
import { keptSecrets, type DemoCredential } from './demo-secrets';
import { isOwnedBy } from './is-owned-by';
import { keptIn } from './private-file';

/** Where the console looks for the key with which it countersigns enrolments in the demo. */
export const ownerKeyFile = 'demo-owner-key.pem';
export const demoFile = 'demo.json';

const days = 365;

export type SetUpDemo = { readonly databaseUrl: string; readonly stateDirectory: string; readonly policyText: string };

/**
 * Makes the demo's workspace: people, owner key, trust root, roster, signed policy, credentials. Once; a later start finds it and
 * goes on. Throws when the database holds somebody else's workspace.
 */
export async function setUpDemo({ databaseUrl, stateDirectory, policyText }: SetUpDemo): Promise<'made' | 'found'> {
  // It says that everything is up: nothing may find it while that is not so.
  await rm(path.join(stateDirectory, demoFile), { force: true });
  const secrets = await keptSecrets(stateDirectory);
  const owner = await keptKey(stateDirectory, ownerKeyFile);
  const recovery = await keptKey(stateDirectory, 'demo-recovery-key.pem');
  const pool = createPool({ url: databaseUrl, max: 2, onIdleError: (cause) => console.error('A database connection broke.', cause) });
  try {
    const base = randomIds();
    const workspace = await openWorkspace(pool, base.make('workspace'), 'Harbor');
    const stores = createStores(pool, workspace);
    const roots = await stores.authority.trustRoots();
    if (roots.length > 0) {
      if (!roots.some(({ envelope }) => isOwnedBy(envelope, owner.id))) {
        throw new Error(`The database holds a workspace that this demo does not own. Give the demo a database, or a COUNTERSIGN_STATE, of its own (${stateDirectory}).`);
      }
      return 'found';
    }
    // Left by a start that was ended between pinning and committing: a pin of a root that never came to be.
    for (const pin of [setUpPin, 'pin.console.json', 'pin.plane.json']) await rm(path.join(stateDirectory, pin), { force: true });
    const consoleKey = await ownServiceKey(stateDirectory, 'console');
    const planeKey = await ownServiceKey(stateDirectory, 'plane');
    const ids = handingOut(base, secrets.credentials);
    const passwords = scryptPasswords();
    const people = await Promise.all(
      demoPeople.map(async ({ name, email, role, groups }) => {
        const password = secrets.people.find((one) => one.email === email)?.password;
        return { name, email, roles: [role], groups, passwordHash: password === undefined ? null : await passwords.hash(password) };
      }),
    );
    const made = await provisionWorkspace(
      {
        workspace,
        ...stores,
        ids,
        sha256: nodeSha256,
        pins: filePinStore({ stateDirectory, role: 'console', rootPin: undefined }),
        sign: receiptSigner({ workspace, sha256: nodeSha256, signer: consoleKey.signer, ids }),
      },
      {
        people: atLeastOne(people),
        owner: { key: publicEntry(owner), signer: owner.signer },
        recovery: publicEntry(recovery),
        services: [
          { key: publicEntry(consoleKey), role: 'console', from: 0 },
          { key: publicEntry(planeKey), role: 'plane', from: 0 },
        ],
        policy: { text: policyText, format: 'yaml' },
        agents: demoAgents.map((agent) => ({ ...agent, scope: [], registeredBy: demoAdmin })),
        vouching: demoVouching,
        days,
      },
      new Date().toISOString(),
    );
    for (const { subject, token } of [...made.agents, ...made.vouching]) {
      if (!secrets.credentials.some((kept) => kept.id === subject && kept.token === token)) throw new Error(`${subject} got another token than the one kept for it.`);
    }
    return 'made';
  } finally {
    await pool.end();
  }
}

const keptKey = async (stateDirectory: string, file: string): Promise<SigningKey> => keyFromPem(await keptIn(path.join(stateDirectory, file), () => generateKey().pem));

const publicEntry = (key: SigningKey): PublicKeyEntry => ({ id: key.id, kind: 'file-ed25519', public_key: toBase64(key.publicKey) });

/** Ids whose tokens are the kept ones, each kind in its order. */
function handingOut(base: Ids, credentials: readonly DemoCredential[]): Ids {
  const left = [...credentials];
  return {
    ...base,
    token: (prefix) => {
      const at = left.findIndex(({ kind }) => tokenPrefixes[kind] === prefix);
      const [next] = at < 0 ? [] : left.splice(at, 1);
      if (!next) throw new Error(`No token of the kind ${prefix} is kept.`);
      return next.token;
    },
  };
}

function atLeastOne(people: readonly Provision['people'][number][]): Provision['people'] {
  const [first, ...rest] = people;
  if (!first) throw new Error('The demo has people.');
  return [first, ...rest];
}
