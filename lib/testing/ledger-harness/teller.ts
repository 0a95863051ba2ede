import { signRoster, signTrustRoot } from '@/lib/authority/sign-documents';
import { signPolicy, signPolicyStatement } from '@/lib/authority/policy-statement';
import { policyRevisionSchema } from '@/lib/authority/policy-revision';
import type { Roster } from '@/lib/authority/roster';
import type { TrustRoot } from '@/lib/authority/trust-root';
import type { BundlePolicy } from '@/lib/ledger/bundle';
import { contentItem, type ContentItem } from '@/lib/ledger/content';
import type { ReceiptKind, ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import type { Ids } from '@/lib/ports/ids';
import { asJson } from '@/lib/shared/as-json';
import type { Envelope } from '@/lib/shared/dsse';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import type { Digest, ReceiptId } from '@/lib/shared/ids';

import { nodeSha256 as sha256, type TestKey } from '../node-crypto';
import { second, seededIds, type Cast } from './cast';

type Common = 'workspace' | 'at' | 'receipt';

/** One event before it is signed: what it states, and whose key will sign it. */
export type ToldEvent = {
  /** What tests call it: `first vote`. */
  readonly label: string;
  readonly kind: ReceiptKind;
  readonly predicate: Readonly<Record<string, unknown>> & { readonly receipt: ReceiptId; readonly at: string };
  readonly signer: TestKey;
  /** A batch ends after it: this key signs a checkpoint. */
  readonly checkpoint?: TestKey;
};

export type ToldPolicy = BundlePolicy & { readonly text: string; readonly revision: number; readonly digest: Digest };

/** A whole log before it is signed, with everything that lies beside it. */
export type ToldLedger = {
  readonly cast: Cast;
  readonly events: readonly ToldEvent[];
  readonly contents: readonly ContentItem[];
  readonly trustRoots: readonly Envelope[];
  readonly rosters: readonly Envelope[];
  readonly policies: readonly ToldPolicy[];
  /** Contents that were erased after they had been named. */
  readonly erased: readonly Digest[];
};

/** Tells events one after another, a second apart. */
export class Teller {
  readonly ids: Ids;
  readonly events: ToldEvent[] = [];
  readonly contents: ContentItem[] = [];
  readonly trustRoots: Envelope[] = [];
  readonly rosters: Envelope[] = [];
  readonly policies: ToldPolicy[] = [];
  readonly erased: Digest[] = [];
  private clock = 0;
  plane: TestKey;

  constructor(readonly cast: Cast) {
    this.ids = seededIds(cast.seed);
    this.plane = cast.keys.plane;
  }

  get now(): string {
    return second(this.clock);
  }

  /** The position that the next event gets. */
  get position(): number {
    return this.events.length;
  }

  wait(seconds: number): void {
    this.clock += seconds;
  }

  /** The next event; gives its receipt. The console signs what people do, the plane the rest. */
  tell<Kind extends ReceiptKind>(label: string, kind: Kind, body: Omit<ReceiptPredicate<Kind>, Common>, signer: TestKey = this.plane, receipt = this.ids.make('receipt')): ReceiptId {
    if (this.events.some((event) => event.label === label)) throw new Error(`Two events are called ${label}.`);
    this.events.push({ label, kind, signer, predicate: { ...body, workspace: this.cast.workspace, at: this.now, receipt } });
    this.clock += 1;
    return receipt;
  }

  byConsole<Kind extends ReceiptKind>(label: string, kind: Kind, body: Omit<ReceiptPredicate<Kind>, Common>): ReceiptId {
    return this.tell(label, kind, body, this.cast.keys.console);
  }

  /** Ends a batch: what was told is committed together, and the plane signs the head. */
  checkpoint(): void {
    const last = this.events.pop();
    if (last) this.events.push({ ...last, checkpoint: this.plane });
  }

  content(value: object | string): Digest {
    const item = contentItem(sha256, this.ids.salt(), typeof value === 'string' ? value : asJson(value));
    this.contents.push(item);
    return item.digest;
  }

  async addRoot(root: TrustRoot): Promise<void> {
    this.trustRoots.push(await signTrustRoot(root, [this.cast.keys.owner.signer]));
  }

  async addRoster(roster: Roster): Promise<void> {
    this.rosters.push(await signRoster(roster, [this.cast.keys.owner.signer]));
  }

  async addPolicy(text: string): Promise<{ readonly revision: number; readonly digest: Digest }> {
    const bytes = utf8(text);
    const digest = digestOf(sha256, bytes);
    const before = this.policies.at(-1);
    const revision = (before?.revision ?? 0) + 1;
    const statement = { schema: policyRevisionSchema, workspace: this.cast.workspace, revision, base_digest: before?.digest ?? null, digest, signed_at: this.now } as const;
    const signers = [this.cast.keys.owner.signer];
    this.policies.push({ text, revision, digest, signature: await signPolicy(bytes, signers), apply: await signPolicyStatement(statement, signers) });
    return { revision, digest };
  }

  get told(): ToldLedger {
    const { cast, events, contents, trustRoots, rosters, policies, erased } = this;
    return { cast, events, contents: contents.filter(({ digest }) => !erased.includes(digest)), trustRoots, rosters, policies, erased };
  }
}
