import { delegationAt, type Delegation } from '@/lib/authority/service-keys';
import type { Cryptography } from '@/lib/authority/verify-trust-root';
import type { BundleManifest } from '@/lib/ledger/bundle-manifest';
import type { ReceiptBody, ReceiptKind } from '@/lib/ledger/receipt-predicate';
import { assertNever } from '@/lib/shared/assert-never';
import { verifiedSigners } from '@/lib/shared/dsse';
import { fromBase64 } from '@/lib/shared/encoding';

import type { Entry } from './parse-entries';
import { told, type OnProgress } from './progress';
import { failed, passed, type Check } from './report';
import type { PlacedRoot } from './trust-history';

/**
 * Each receipt has exactly one signature, by a service key that the root in force at its position delegates there, and that
 * no later root withdrew for that position. What licenses an effect is signed by the plane alone.
 */
export async function checkReceipts(
  entries: readonly Entry[],
  manifest: BundleManifest,
  roots: readonly PlacedRoot[],
  cryptography: Cryptography,
  onProgress?: OnProgress,
): Promise<Check> {
  const seen = new Set<string>();
  for (const [at, entry] of entries.entries()) {
    const fault = (await faultOf(entry, manifest, roots, cryptography)) ?? repeated(entry, seen);
    if (fault) return failed('receipts', fault, entry.index);
    told(onProgress, 'receipts', at + 1, entries.length);
  }
  return passed('receipts', `${entries.length} receipts.`);
}

async function faultOf(entry: Entry, manifest: BundleManifest, roots: readonly PlacedRoot[], { verify }: Cryptography): Promise<string | undefined> {
  const { body, fault, leaf } = entry;
  if (!body) return fault ?? 'The receipt cannot be read.';
  if (body.predicate.workspace !== manifest.workspace) return 'The receipt belongs to another workspace’s log.';
  const [signature, ...more] = leaf.envelope.signatures;
  if (!signature || more.length > 0) return 'A receipt has exactly one signature.';
  const delegation = delegationAt(roots, signature.keyid, entry.index);
  if (delegation.state !== 'delegated') return refusalOf(delegation);
  const { service } = delegation;
  if (licenses(body) && service.role !== 'plane') return 'A permit that the plane did not sign.';
  if (isPlanesOwn(body) && service.role !== 'plane') return 'What only the plane does, not signed by the plane.';
  const key = fromBase64(service.key.public_key);
  const signers = key ? await verifiedSigners(leaf.envelope, new Map([[signature.keyid, key]]), verify) : new Set();
  return signers.size === 1 ? undefined : 'The signature does not verify.';
}

/** Which root says so, for whoever asks why a good signature does not count. */
function refusalOf({ state, version }: Exclude<Delegation, { readonly state: 'delegated' }>): string {
  switch (state) {
    case 'unlisted':
      return 'The key that signed the receipt was not delegated at its position.';
    case 'not_begun':
      return `The key that signed the receipt had not begun at its position, says trust root ${version}.`;
    case 'ended':
      return `The key that signed the receipt had ended before its position, says trust root ${version}.`;
    case 'withdrawn':
      return `The key that signed the receipt was withdrawn for its position by trust root ${version}.`;
    default:
      return assertNever(state);
  }
}

const licenses = (body: ReceiptBody): boolean =>
  body.kind === 'permit_issued' || (body.kind === 'action_decided' && body.predicate.permit !== undefined);

/**
 * What happens between agents and the plane. Whoever has the console's key could otherwise say that something ran, that a source had
 * answered, or that people were asked.
 */
const planesOwn: ReadonlySet<ReceiptKind> = new Set<ReceiptKind>([
  'session_opened', 'message_recorded', 'delegation_recorded', 'action_decided', 'approval_requested', 'approval_escalated', 'standing_approval_used', 'deferral_attempted',
  'permit_redeemed', 'permit_refused', 'outcome_reported', 'grant_consumed', 'guard_finding',
]);

function isPlanesOwn({ kind, predicate }: ReceiptBody): boolean {
  switch (kind) {
    case 'attributes_supplied':
      return predicate.by.kind !== 'person';
    // What a person asks back in the console makes an action wait; everything else that does is the plane's to say.
    case 'deferral_opened':
      return predicate.question === undefined;
    default:
      return planesOwn.has(kind);
  }
}

/** The same receipt at two positions would count an event twice. */
function repeated({ body }: Entry, seen: Set<string>): string | undefined {
  const id = body?.predicate.receipt;
  if (id === undefined) return undefined;
  if (seen.has(id)) return 'The receipt appears at two positions.';
  seen.add(id);
  return undefined;
}
