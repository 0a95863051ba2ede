import { trustRootPayloadType } from '@/lib/authority/trust-root';
import { trustRootBytes } from '@/lib/authority/sign-documents';
import type { Bundle } from '@/lib/ledger/bundle';
import { contentItem } from '@/lib/ledger/content';
import { envelopePayload, signEnvelope } from '@/lib/shared/dsse';
import { fromUtf8, toBase64, utf8 } from '@/lib/shared/encoding';

import { nodeSha256 } from '../node-crypto';
import { listed } from './cast';
import { eventOf, indexOf, onlyAFile, type Tampering } from './tampering';

const swap = <T>(list: readonly T[], a: number, b: number): T[] => list.map((one, at) => list[at === a ? b : at === b ? a : at] ?? one);

/** What somebody does to a bundle that was exported: with the file alone, or with the key of a process that exports. */
export const tamperedFiles: readonly Tampering[] = [
  { name: 'a byte of the file is flipped', file: (bytes) => { const spot = Buffer.from(bytes).indexOf('Look at the notes.'); return bytes.map((byte, at) => (at === spot ? byte ^ 1 : byte)); }, verify: { check: 'manifest', says: 'is not what the exporter signed' }, ...onlyAFile },
  { name: 'the file is cut off', file: (bytes) => bytes.slice(0, -200), verify: 'unreadable', ...onlyAFile },
  { name: 'the file has a byte more', file: (bytes) => new Uint8Array([...bytes, 10]), verify: 'unreadable', ...onlyAFile },
  {
    name: 'the file says the same in other spelling',
    file: (bytes) => utf8(JSON.stringify(JSON.parse(fromUtf8(bytes) ?? ''), null, 1)), verify: 'unreadable', ...onlyAFile,
  },
  { name: 'the tail of the receipts is left out', bundle: ({ leaves }) => ({ leaves: leaves.slice(0, -3) }), verify: { check: 'chain', says: 'positions, the bundle' }, ...onlyAFile },
  {
    name: 'a receipt in the middle is left out',
    bundle: ({ leaves }, told) => ({ leaves: leaves.filter(({ index }) => index !== indexOf(told, 'message')) }), verify: { check: 'chain', says: 'positions, the bundle' }, ...onlyAFile,
  },
  {
    name: 'a leaf is there twice', bundle: ({ leaves }, told) => ({ leaves: leaves.toSpliced(indexOf(told, 'message') + 1, 1, ...leaves.slice(indexOf(told, 'message'), indexOf(told, 'message') + 1)) }),
    verify: { check: 'chain', at: 'finding in message', says: 'is held by a receipt of position' }, ...onlyAFile,
  },
  {
    name: 'two neighbours change places', bundle: ({ leaves }, told) => ({ leaves: swap(leaves, indexOf(told, 'message'), indexOf(told, 'message') + 1) }),
    verify: { check: 'chain', at: 'message', says: 'is held by a receipt of position' }, ...onlyAFile,
  },
  {
    name: 'two neighbours change places and get each other’s positions',
    bundle: ({ leaves }, told) => ({ leaves: swap(leaves, indexOf(told, 'message'), indexOf(told, 'message') + 1).map((leaf, index) => ({ ...leaf, index })) }),
    verify: { check: 'chain', at: 'message', says: 'does not name the one before' }, ...onlyAFile,
  },
  {
    name: 'a receipt takes another one’s place, link and all',
    bundle: ({ leaves }, told) => ({ leaves: leaves.map((leaf, at) => (at === indexOf(told, 'message') ? { ...leaf, envelope: leaves[indexOf(told, 'calls refused')]?.envelope ?? leaf.envelope } : leaf)) }),
    verify: { check: 'receipts', at: 'calls refused', says: 'at two positions' }, ...onlyAFile,
  },
  {
    name: 'one byte of a receipt’s signature is flipped',
    bundle: ({ leaves }) => ({ leaves: leaves.map((leaf, at) => (at === 20 ? { ...leaf, envelope: { ...leaf.envelope, signatures: leaf.envelope.signatures.map(({ keyid }) => ({ keyid, sig: toBase64(new Uint8Array(64)) })) } } : leaf)) }),
    verify: { check: 'receipts', says: 'The signature does not verify' }, ...onlyAFile,
  },
  {
    name: 'contents change places', bundle: ({ contents }) => {
      const [first, second] = contents;
      return first && second ? { contents: [{ ...first, value: second.value, salt: second.salt }, { ...second, value: first.value, salt: first.salt }, ...contents.slice(2)] } : {};
    },
    verify: { check: 'contents', says: 'is not what its digest says' }, ...onlyAFile,
  },
  { name: 'a content has another salt', bundle: ({ contents }) => ({ contents: contents.map((item, at) => (at === 3 ? { ...item, salt: toBase64(new Uint8Array(16)) } : item)) }), verify: { check: 'contents', says: 'is not what its digest says' }, ...onlyAFile },
  { name: 'a content that nothing names is slipped in', bundle: ({ contents }) => ({ contents: [...contents, ...stray] }), verify: { check: 'contents', says: 'No receipt names content' }, ...onlyAFile },
  {
    name: 'a content is called erased that was not', bundle: (bundle) => hiding(bundle, 'erased'),
    verify: { check: 'contents', says: 'no receipt here says by whom', unsure: true }, ...onlyAFile,
  },
  { name: 'a content is left out without a word', bundle: ({ contents }) => ({ contents: contents.slice(1) }), verify: { check: 'contents', says: 'the exporter does not say why', unsure: true }, ...onlyAFile },
  { name: 'a content that is there is called withheld too', bundle: ({ contents, absent }) => ({ absent: [...absent, { digest: contents[0]?.digest ?? missingDigest, why: 'withheld' }] }), verify: { check: 'contents', says: 'listed as absent, yet here' }, ...onlyAFile },
  { name: 'no checkpoint is in it', bundle: () => ({ checkpoints: [] }), verify: { check: 'checkpoints', says: 'no checkpoint' }, ...onlyAFile },
  { name: 'an older checkpoint ends it', bundle: ({ checkpoints }) => ({ checkpoints: checkpoints.slice(0, -1) }), verify: { check: 'tree', says: 'The manifest speaks of' }, ...onlyAFile },
  { name: 'the checkpoints are in another order', bundle: ({ checkpoints }) => ({ checkpoints: swap(checkpoints, 0, 1) }), verify: { check: 'consistency', says: 'do not rise' }, ...onlyAFile },
  { name: 'a checkpoint states another size', bundle: ({ checkpoints: [first = '', ...rest] }) => ({ checkpoints: [first.replace(/\n\d+\n/, '\n7\n'), ...rest] }), verify: { check: 'checkpoints', says: 'does not verify' }, ...onlyAFile },
  { name: 'hashes are said to come before the first receipt', bundle: ({ contents }) => ({ frontier: [contents[0]?.digest ?? missingDigest] }), verify: { check: 'tree', says: 'does not have the hashes' }, ...onlyAFile },
  {
    name: 'the policy’s text is changed', bundle: ({ policies }) => ({
      policies: policies.map((policy, at) => (at === 1 ? { ...policy, signature: { ...policy.signature, payload: toBase64(utf8((fromUtf8(envelopePayload(policy.signature) ?? utf8('')) ?? '').replace('gt: 50', 'gt: 5000'))) } } : policy)),
    }),
    verify: { check: 'policies', says: 'never came into force' }, ...onlyAFile,
  },
  { name: 'policies change places', bundle: ({ policies }) => ({ policies: swap(policies, 0, 1) }), verify: { check: 'policies', says: 'on another text than the one in force' }, ...onlyAFile },
  { name: 'a policy is left out', bundle: ({ policies }) => ({ policies: policies.slice(0, -1) }), verify: { check: 'policies', at: 'third policy', says: 'is not in the bundle' }, ...onlyAFile },
  { name: 'a roster version is skipped', bundle: ({ rosters }) => ({ rosters: rosters.slice(1) }), verify: { check: 'rosters', at: 'second roster', says: 'does not follow the one in force' }, ...onlyAFile },
  { name: 'the newest trust root is left out', bundle: ({ trust_roots }) => ({ trust_roots: trust_roots.slice(0, 1) }), verify: { check: 'trust_root', at: 'second root', says: 'is not in the bundle' }, ...onlyAFile },
  {
    name: 'the first trust root is a stranger’s', bundle: async ({ trust_roots }, { cast }) => {
      const own = { ...cast.root, owners: [{ person: cast.people.owner, key: listed(cast.keys.stranger, 'file-ed25519') }] };
      return { trust_roots: [await signEnvelope(trustRootPayloadType, trustRootBytes(own), [cast.keys.stranger.signer]), ...trust_roots.slice(1)] };
    },
    verify: { check: 'trust_root', says: 'is not the pinned fingerprint' }, ...onlyAFile,
  },
  {
    name: 'what people were shown is left out', bundle: ({ contents, absent }, told) => {
      const digest = eventOf(told, 'copy requested').predicate['held_digest'];
      return { contents: contents.filter((one) => one.digest !== digest), absent: [...absent, ...contents.flatMap((one) => (one.digest === digest ? [{ digest: one.digest, why: 'withheld' as const }] : []))] };
    },
    verify: { check: 'votes', says: 'signed over what the bundle does not hold', unsure: true }, ...onlyAFile,
  },
];

const stray: Bundle['contents'] = [contentItem(nodeSha256, new Uint8Array(16), 'stray')];
const missingDigest = '6'.repeat(64) as Bundle['frontier'][number];

function hiding({ contents: [first, ...rest], absent }: Bundle, why: 'withheld' | 'erased'): Partial<Bundle> {
  return first ? { contents: rest, absent: [...absent, { digest: first.digest, why }] } : {};
}
