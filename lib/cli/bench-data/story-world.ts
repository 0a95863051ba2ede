import { randomFillSync } from 'node:crypto';

import type { ReceiptKind } from '@/lib/ledger/receipt-predicate';
import type { Ids } from '@/lib/ports/ids';
import type { ReceiptBodyOf, ReceiptColumns } from '@/lib/services/sign-receipt';
import type { Signer } from '@/lib/shared/dsse';
import { digestText } from '@/lib/shared/encoding';
import type { CredentialId, Digest, PersonId, ReceiptId, SessionId } from '@/lib/shared/ids';
import type { PublicKeyEntry } from '@/lib/shared/keys';

/** A receipt to be signed. The console signs what people did, the plane everything else. */
export type Step = {
  [Kind in ReceiptKind]: {
    readonly kind: Kind;
    readonly body: ReceiptBodyOf<Kind> | Promise<ReceiptBodyOf<Kind>>;
    readonly columns: ReceiptColumns;
    readonly id?: ReceiptId;
    readonly by?: 'console';
  };
}[ReceiptKind];

/** A session while it is told: where its context stands. */
export type SessionAt = {
  readonly id: SessionId;
  readonly agent: string;
  readonly role: string;
  readonly human: string;
  head: Digest;
  seq: number;
};

/** Who and what the stories are about, as it stands in the documents in force. */
export type StoryPeople = {
  readonly service: CredentialId;
  readonly policy: { readonly revision: number; readonly digest: Digest };
  readonly approver: { readonly person: PersonId; readonly key: PublicKeyEntry; readonly signer: Signer };
  /** Others who may be asked; they deny, which needs no key. */
  readonly deniers: readonly PersonId[];
};

export type StoryWorld = StoryPeople & {
  readonly ids: Ids;
  /** Names a content that is not kept: of such logs only the receipts are. */
  readonly digest: () => Digest;
  readonly later: (at: string, seconds: number) => string;
  readonly lengthen: (session: SessionAt) => void;
};

const block = Buffer.alloc(32 * 256);

/** Digests out of nothing, for contents that nobody will see. */
function digests(): () => Digest {
  let used = block.length;
  return () => {
    if (used === block.length) {
      randomFillSync(block);
      used = 0;
    }
    used += 32;
    return digestText(block.subarray(used - 32, used));
  };
}

export function storyWorld(people: StoryPeople, ids: Ids): StoryWorld {
  const digest = digests();
  return {
    ...people,
    ids,
    digest,
    later: (at, seconds) => new Date(Date.parse(at) + seconds * 1000).toISOString(),
    lengthen: (session) => {
      session.head = digest();
      session.seq += 1;
    },
  };
}
