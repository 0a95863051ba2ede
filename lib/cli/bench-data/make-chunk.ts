import type { ReceiptKind } from '@/lib/ledger/receipt-predicate';
import { receiptSchemas } from '@/lib/ledger/receipt-predicate';
import type { SignedReceipt } from '@/lib/ports/ledger-store';
import { keyFromPem } from '@/lib/server/ed25519';
import { nodeBase64 } from '@/lib/server/node-base64';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { randomIds } from '@/lib/server/random-ids';
import { receiptSigner, type SignReceipt } from '@/lib/services/sign-receipt';
import type { CredentialId, Digest, PersonId, WorkspaceId } from '@/lib/shared/ids';
import type { PublicKeyEntry } from '@/lib/shared/keys';

import { randomSource } from './random-source';
import { SessionStory } from './session-story';
import { storyWorld, type Step, type StoryPeople } from './story-world';

/** Sessions that go on at once. */
const atOnce = 40;

/** Plain data, so that it can be sent to a thread. Keys are PEM, and never leave this process. */
export type ChunkMakerSettings = {
  readonly workspace: WorkspaceId;
  readonly service: CredentialId;
  readonly planePem: string;
  readonly consolePem: string;
  readonly approver: { readonly person: PersonId; readonly key: PublicKeyEntry; readonly pem: string };
  readonly deniers: readonly PersonId[];
};

/** So many receipts (the last sessions end, so a few more) from one time to another, ms since 1970. */
export type ChunkOrder = {
  readonly seed: number;
  readonly receipts: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly policy: { readonly revision: number; readonly digest: Digest };
};

export type ChunkMaker = (order: ChunkOrder) => Promise<readonly SignedReceipt[]>;

/**
 * Makes signed receipts of many sessions that go on side by side, each story whole. Where they end up in the log is nobody's
 * concern here, so that several threads can make them at once.
 */
export function chunkMaker({ workspace, service, planePem, consolePem, approver, deniers }: ChunkMakerSettings): ChunkMaker {
  const ids = randomIds();
  const unchecked: ReadonlySet<ReceiptKind> = new Set(Object.keys(receiptSchemas).filter(isKind));
  const signWith = (pem: string): SignReceipt =>
    receiptSigner({ workspace, sha256: nodeSha256, signer: keyFromPem(pem).signer, ids, base64: nodeBase64, unchecked });
  const signers = { plane: signWith(planePem), console: signWith(consolePem) };
  const voter = { person: approver.person, key: approver.key, signer: keyFromPem(approver.pem).signer };
  return async ({ seed, receipts, fromMs, toMs, policy }) => {
    const random = randomSource(seed);
    const people: StoryPeople = { service, policy, approver: voter, deniers };
    const world = storyWorld(people, ids);
    const made: SignedReceipt[] = [];
    const open: SessionStory[] = [];
    while (open.length > 0 || made.length < receipts) {
      while (open.length < atOnce && made.length < receipts) open.push(new SessionStory(world, random));
      const at = new Date(Math.floor(fromMs + ((toMs - fromMs) * Math.min(made.length, receipts)) / receipts)).toISOString();
      const chosen = Math.floor(random() * open.length);
      const step = open[chosen]?.next(at);
      if (step) made.push(await signed(signers, step, at));
      else open.splice(chosen, 1);
    }
    return made;
  };
}

async function signed(signers: Readonly<Record<'plane' | 'console', SignReceipt>>, step: Step, at: string): Promise<SignedReceipt> {
  const sign: SignReceipt = signers[step.by ?? 'plane'];
  return await sign<ReceiptKind>(step.kind, at, await step.body, step.columns, step.id);
}

const isKind = (name: string): name is ReceiptKind => Object.hasOwn(receiptSchemas, name);
