import { sealBundle, type ManifestFacts } from '@/lib/ledger/bundle-manifest';
import { bundleBytes, type Bundle, type BundlePolicy } from '@/lib/ledger/bundle';
import { assembleBundle } from '@/lib/ledger/assemble-bundle';
import { originOf, signCheckpoint } from '@/lib/ledger/checkpoint';
import { contentItem, type ContentItem } from '@/lib/ledger/content';
import { contentReferences } from '@/lib/ledger/content-references';
import { parseLeaf } from '@/lib/ledger/parse-leaf';
import { parsePredicate, predicateTypeOf } from '@/lib/ledger/parse-predicate';
import { leafHashOf, leafText, previousOf, type Leaf } from '@/lib/ledger/leaf';
import { appendLeaf, emptyFrontier, rootOf } from '@/lib/ledger/merkle/frontier';
import type { ReceiptKind, ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import { buildStatement, readStatement, statementBytes, statementPayloadType } from '@/lib/ledger/statement';
import { envelopeText, signEnvelope, type Envelope } from '@/lib/shared/dsse';
import { utf8 } from '@/lib/shared/encoding';
import { idPrefixes, type IdKind, type IdOf, type SessionId } from '@/lib/shared/ids';
import type { Json } from '@/lib/shared/json';

import { memoryTiles } from './memory-tiles';
import { nodeSha256 as sha256, testKey, type TestKey } from './node-crypto';

/** The n-th id of a kind, readable in a failing test. */
export const testId = <Kind extends IdKind>(kind: Kind, n: number): IdOf<Kind> =>
  `${idPrefixes[kind]}_${String(n).padStart(20, '0')}` as IdOf<Kind>;

/** The n-th second of the tests' day. */
export const testTime = (second: number): string => new Date(Date.UTC(2030, 0, 1, 0, 0, second)).toISOString();

export const testWorkspace = testId('workspace', 1);
export const testKeys = { owner: testKey('owner'), approver: testKey('approver'), plane: testKey('plane'), console: testKey('console'), recovery: testKey('recovery') };

export type BundleChoice = {
  readonly from?: number;
  readonly to?: number;
  readonly session?: SessionId;
  readonly withhold?: boolean;
  readonly signer?: TestKey;
  readonly change?: (bundle: Bundle) => Bundle;
};

type Common = 'workspace' | 'at' | 'receipt';

/** A small log in memory, really signed: append receipts, then take bundles out of it. */
export class LedgerBuilder {
  readonly leaves: Leaf[] = [];
  readonly contents: ContentItem[] = [];
  readonly trustRoots: Envelope[] = [];
  readonly rosters: Envelope[] = [];
  readonly policies: BundlePolicy[] = [];
  readonly checkpoints: string[] = [];
  /** Contents that are gone though receipts name them. */
  readonly erased: ContentItem['digest'][] = [];
  private hashes: Uint8Array[] = [];

  get size(): number {
    return this.leaves.length;
  }

  /** Appends a receipt, a second after the one before; gives its id. */
  async append<Kind extends ReceiptKind>(
    kind: Kind,
    body: Omit<ReceiptPredicate<Kind>, Common> & Partial<Pick<ReceiptPredicate<Kind>, Common>>,
    signer: TestKey = testKeys.plane,
  ): Promise<IdOf<'receipt'>> {
    const receipt = testId('receipt', this.size);
    const parsed = parsePredicate(predicateTypeOf(kind), { workspace: testWorkspace, at: testTime(this.size), receipt, ...body });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
    const { predicate } = parsed.value;
    const bytes = statementBytes(buildStatement(sha256, parsed.value.kind, predicate));
    await this.appendEnvelope(await signEnvelope(statementPayloadType, bytes, [signer.signer]));
    return predicate.receipt;
  }

  async appendEnvelope(envelope: Envelope): Promise<void> {
    const text = leafText(envelopeText(envelope), this.size, previousOf(this.hashes.at(-1)));
    const leaf = parseLeaf(text);
    if (!leaf.ok) throw new Error(leaf.error.detail);
    this.leaves.push(leaf.value);
    this.hashes.push(leafHashOf(sha256, text));
  }

  /** Signs a tree head for the log as it is now. */
  async checkpoint(signer: TestKey = testKeys.plane): Promise<void> {
    const frontier = this.hashes.reduce((so, hash) => appendLeaf(sha256, so, hash), emptyFrontier);
    const head = { origin: originOf(testWorkspace), size: this.size, root: rootOf(sha256, frontier), extensions: [] };
    this.checkpoints.push(await signCheckpoint(sha256, head, signer.publicKey, signer.signer.sign));
  }

  /** The log's root at a size. */
  root(size: number): Uint8Array {
    return rootOf(sha256, this.hashes.slice(0, size).reduce((so, hash) => appendLeaf(sha256, so, hash), emptyFrontier));
  }

  /** Keeps a value as content and gives its digest. */
  content(value: Json): ContentItem['digest'] {
    const item = contentItem(sha256, sha256(utf8(`salt ${this.contents.length}`)).slice(0, 16), value);
    this.contents.push(item);
    return item.digest;
  }

  async bundle(choice: BundleChoice = {}): Promise<Bundle> {
    const size = this.size;
    const selection = choice.session !== undefined;
    const from = selection ? size : (choice.from ?? 0);
    const to = selection ? size : (choice.to ?? size);
    const notes = this.checkpoints.filter((note) => sizeOf(note) > from && (sizeOf(note) <= to || sizeOf(note) === size));
    const leaves = this.leaves.slice(from, to);
    const single = this.leaves.filter((leaf, index) => (selection ? this.concerns(leaf, choice.session) : index < from && this.isAuthority(leaf)));
    const contents = this.contentsOf([...leaves, ...single]);
    const parts = await assembleBundle(sha256, memoryTiles(this.hashes), { from, to, size }, {
      leaves,
      single,
      checkpoints: selection ? this.checkpoints.slice(-1) : notes,
      contents: choice.withhold === true ? [] : contents,
      absent: [
        ...this.erased.map((digest) => ({ digest, why: 'erased' as const })),
        ...(choice.withhold === true ? contents.map(({ digest }) => ({ digest, why: 'withheld' as const })) : []),
      ],
      trust_roots: this.trustRoots,
      rosters: this.rosters,
      policies: this.policies,
    });
    const facts: ManifestFacts = {
      workspace: testWorkspace,
      range: { from, to },
      size,
      created_at: testTime(size),
      product_version: 'test',
      ...(choice.session === undefined ? {} : { session: choice.session }),
    };
    const bundle = await sealBundle(sha256, parts, facts, (choice.signer ?? testKeys.console).signer);
    return choice.change ? choice.change(bundle) : bundle;
  }

  async bytes(choice: BundleChoice = {}): Promise<Uint8Array> {
    return bundleBytes(await this.bundle(choice));
  }

  private contentsOf(leaves: readonly Leaf[]): readonly ContentItem[] {
    const named = new Set(
      leaves.flatMap(({ envelope }) => {
        const body = readStatement(sha256, envelope);
        return body.ok ? contentReferences(body.value) : [];
      }),
    );
    return this.contents.filter(({ digest }) => named.has(digest));
  }

  private isAuthority(leaf: Leaf): boolean {
    return /"predicateType":"[^"]*\/(?:trust_root_changed|recovery_announced|recovery_cancelled|roster_changed|policy_applied)\/v1"/.test(textOfPayload(leaf));
  }

  private concerns(leaf: Leaf, session: SessionId | undefined): boolean {
    return this.isAuthority(leaf) || textOfPayload(leaf).includes(`"session":"${session}"`) || textOfPayload(leaf).includes('/approval_');
  }
}

const textOfPayload = (leaf: Leaf): string => Buffer.from(leaf.envelope.payload, 'base64').toString('utf8');

const sizeOf = (note: string): number => Number(note.split('\n')[1]);
