import { fileKey } from '@/lib/cli/temporary-plane';
import { benchPolicy } from '@/lib/bench/plane-policy';
import type { Stores } from '@/lib/db/create-stores';
import { generateKey, type SigningKey } from '@/lib/server/ed25519';
import { filePinStore } from '@/lib/server/file-pin-store';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { randomIds } from '@/lib/server/random-ids';
import { ownServiceKey } from '@/lib/server/service-keys';
import { provisionWorkspace, type Provisioned } from '@/lib/services/provision-workspace';
import { receiptSigner } from '@/lib/services/sign-receipt';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import type { Digest, PersonId, WorkspaceId } from '@/lib/shared/ids';
import type { PublicKeyEntry } from '@/lib/shared/keys';

import { benchAgents, benchApprovers, benchHumans, benchOwner } from './bench-world';

export type BenchWorkspace = {
  readonly workspace: WorkspaceId;
  readonly stores: Stores;
  readonly owner: { readonly person: PersonId; readonly key: PublicKeyEntry; readonly signing: SigningKey };
  readonly console: SigningKey;
  readonly plane: SigningKey;
  readonly provisioned: Provisioned;
};

export const policyOf = (revision: number): { readonly text: string; readonly digest: Digest } => {
  const text = `${benchPolicy()}# Revision ${String(revision)}.\n`;
  return { text, digest: digestOf(nodeSha256, utf8(text)) };
};

/** Sets the workspace up as a demo is set up, dated back to where its log begins. The owner's key is thrown away with this process. */
export async function benchWorkspace(stores: Stores, workspace: WorkspaceId, stateDirectory: string, beganAt: string): Promise<BenchWorkspace> {
  const ids = randomIds();
  const signing = generateKey();
  const key: PublicKeyEntry = { ...fileKey(signing), kind: 'browser-ed25519' };
  const console = await ownServiceKey(stateDirectory, 'console');
  const plane = await ownServiceKey(stateDirectory, 'plane');
  const person = (email: string, roles: readonly ('owner' | 'approver' | 'requester')[]) => ({
    name: email.slice(0, email.indexOf('@')), email, roles, groups: roles.includes('requester') ? [] : ['approver'], passwordHash: null,
  });
  const provisioned = await provisionWorkspace(
    {
      workspace, ...stores, ids, sha256: nodeSha256,
      pins: filePinStore({ stateDirectory, role: 'console', rootPin: undefined }),
      sign: receiptSigner({ workspace, sha256: nodeSha256, signer: console.signer, ids }),
    },
    {
      people: [person(benchOwner, ['owner']), ...benchApprovers.map((email) => person(email, ['approver'])), ...benchHumans.map((email) => person(email, ['requester']))],
      owner: { key, signer: signing.signer },
      recovery: fileKey(generateKey()),
      services: [
        { key: fileKey(console), role: 'console', from: 0 },
        { key: fileKey(plane), role: 'plane', from: 0 },
      ],
      policy: { text: policyOf(1).text, format: 'yaml' },
      agents: benchAgents.map(({ id, role }) => ({ id, role, scope: [], registeredBy: benchOwner })),
      vouching: [{ kind: 'orchestrator', subject: 'desk', scope: { humans: ['*'] } }],
      days: 400,
    },
    beganAt,
  );
  const owner = provisioned.people.get(benchOwner);
  if (!owner) throw new Error('The owner was not provisioned.');
  return { workspace, stores, owner: { person: owner, key, signing }, console, plane, provisioned };
}
