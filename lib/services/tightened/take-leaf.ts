import { rootInForceAt, serviceKeyAt } from '@/lib/authority/service-keys';
import type { TrustRoot, VerifiedTrustRoot } from '@/lib/authority/trust-root';
import type { Cryptography } from '@/lib/authority/verify-trust-root';
import type { ReceiptBody, ReceiptKind, ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import { statedKind } from '@/lib/ledger/stated-kind';
import { readStatement } from '@/lib/ledger/statement';
import type { StoredLeaf } from '@/lib/ports/ledger-reader';
import { parseEnvelope, verifiedSigners, type Envelope } from '@/lib/shared/dsse';
import { fromBase64 } from '@/lib/shared/encoding';
import { faultOfRestoration } from '@/lib/verify/agent-restoration';
import { faultOfRelease } from '@/lib/verify/switch-release';

import { changeGrant, switchKey, takeCredential, takeGrant, takePerson, takeThrow, type TightenedState } from './tightened-state';

const kinds: ReadonlySet<ReceiptKind> = new Set(['switch_thrown', 'credential_administered', 'key_removed', 'user_administered', 'grant_issued', 'grant_consumed', 'grant_revoked', 'trust_root_changed', 'approval_resolved', 'action_withdrawn', 'policy_signed', 'policy_rejected']);

/** Whether a receipt may be about something that is tightened. Where its kind cannot be told without reading it, it may. */
export function mayTighten(envelope: string): boolean {
  const kind = statedKind(envelope);
  return kind === undefined || kinds.has(kind);
}

/**
 * Takes in what a leaf of the log says was stopped, or released. Stopping counts with the signature of any key that a root of this workspace
 * ever listed, also one that was withdrawn: nothing that a service stopped goes on because its key was lost. What loosens (a release, a
 * person or agent taken back, the name of a credential) counts only by a key that may sign at the position, a release or an agent's restoration
 * only with the signature of an owner of the root in force there.
 */
export async function takeLeaf(state: TightenedState, { index, envelope: text }: StoredLeaf, root: VerifiedTrustRoot, cryptography: Cryptography): Promise<void> {
  const envelope = parseEnvelope(text);
  const body = envelope.ok ? readStatement(cryptography.sha256, envelope.value) : envelope;
  if (!envelope.ok || !body.ok || body.value.predicate.workspace !== root.root.workspace) return;
  const proven = await isSigned(envelope.value, root, Number(index), cryptography);
  if (proven !== undefined) await take(state, body.value, { index: Number(index), proven, root, cryptography });
}

type Place = { readonly index: number; readonly proven: boolean; readonly root: VerifiedTrustRoot; readonly cryptography: Cryptography };

async function take(state: TightenedState, { kind, predicate }: ReceiptBody, place: Place): Promise<void> {
  switch (kind) {
    case 'switch_thrown':
      return predicate.on ? takeThrow(state, predicate, place.proven) : await takeRelease(state, predicate, place);
    case 'credential_administered':
      takeCredential(state, predicate, place.proven);
      return predicate.kind === 'agent' && predicate.change === 'restored' ? await takeRestoration(state, predicate, place) : undefined;
    case 'user_administered':
      return takePerson(state, predicate, place.proven);
    case 'key_removed':
      if (predicate.cause === 'revoked' && !state.keys.has(predicate.key)) state.keys.set(predicate.key, place.index);
      return;
    case 'grant_issued':
      return takeGrant(state, predicate);
    case 'grant_consumed':
      return changeGrant(state, predicate.grant, ({ used }) => ({ used: Math.max(used, predicate.use) }));
    case 'grant_revoked':
      return changeGrant(state, predicate.grant, () => ({ ended: true }));
    case 'approval_resolved':
      if (predicate.by.kind === 'person' && predicate.state !== 'approved') state.ended.set(predicate.approval, predicate.at);
      return;
    case 'action_withdrawn':
      if (predicate.by.kind === 'person') state.ended.set(predicate.action.id, predicate.at);
      return;
    case 'policy_signed':
      if (!state.proposals.has(predicate.proposal)) state.proposals.set(predicate.proposal, false);
      return;
    // What no owner has signed could not be applied either, so of what agents propose nothing is kept.
    case 'policy_rejected':
      if (state.proposals.has(predicate.proposal)) state.proposals.set(predicate.proposal, true);
      return;
    // What is told again later brings nothing into force again: a key that it dropped would count in between.
    case 'trust_root_changed':
      if (!state.roots.has(predicate.digest)) state.roots.set(predicate.digest, place.index);
      return;
    default:
  }
}

async function takeRelease(state: TightenedState, told: ReceiptPredicate<'switch_thrown'>, place: Place): Promise<void> {
  const standing = state.switches.get(switchKey(told));
  if (standing && place.proven && (await faultOfRelease(told, standing, ownersThen(place), place.cryptography)) === undefined) state.switches.delete(switchKey(told));
}

async function takeRestoration(state: TightenedState, told: ReceiptPredicate<'credential_administered'>, place: Place): Promise<void> {
  const standing = state.agents.get(told.subject);
  if (standing && place.proven && (await faultOfRestoration(told, standing.receipt, ownersThen(place), place.cryptography)) === undefined) state.agents.delete(told.subject);
}

const ownersThen = ({ index, root }: Place): TrustRoot => rootInForceAt(root.history ?? [], index)?.root ?? root.root;

/** True: by a key that may sign at this position. False: by one that a root ever listed. Undefined: by nobody who is known. */
async function isSigned(envelope: Envelope, { root, history = [] }: VerifiedTrustRoot, index: number, { verify }: Cryptography): Promise<boolean | undefined> {
  const [signature] = envelope.signatures;
  const service = signature && [root, ...history.map((one) => one.root)].flatMap(({ services }) => services).find(({ key }) => key.id === signature.keyid);
  const key = service && fromBase64(service.key.public_key);
  if (!service || !key || !(await verifiedSigners(envelope, new Map([[service.key.id, key]]), verify)).has(service.key.id)) return undefined;
  return serviceKeyAt(root, service.key.id, index) !== undefined;
}
