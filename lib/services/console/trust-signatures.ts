import { collectSignatures } from '@/lib/authority/collect-signatures';
import { signedByOwners } from '@/lib/authority/signed-by-owners';
import type { VerifySignature } from '@/lib/shared/dsse';
import { envelopePayload, envelopeText, parseEnvelope, type Envelope } from '@/lib/shared/dsse';
import { bytesEqual } from '@/lib/shared/encoding';
import type { PersonId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { documentNames, type DocumentName, type DocumentNeed, type TrustDocuments } from './trust-documents';

export type Envelopes = { readonly [Name in DocumentName]?: Envelope };

/** What signatures so far are worth for one document. */
export type Signed = { readonly people: readonly PersonId[]; readonly enough: boolean };

/**
 * Takes signatures over exactly the documents of a change, and nothing else: each envelope has to hold its document byte for byte, carry
 * no signature that does not verify, and count at least one owner. Failures: `signature_invalid`, `key_kind_refused`, `forbidden`.
 */
export async function checkedEnvelopes(documents: TrustDocuments, given: { readonly [Name in DocumentName]?: string | undefined }, verify: VerifySignature): Promise<Result<Envelopes>> {
  const checked: { [Name in DocumentName]?: Envelope } = {};
  for (const name of documentNames) {
    const text = given[name];
    if (text === undefined) continue;
    const need = documents.needs[name];
    if (!need) return fail('signature_invalid', `This change needs no signature on ${wordOf[name]}.`);
    const envelope = parseEnvelope(text);
    if (!envelope.ok) return envelope;
    if (!holds(envelope.value, need)) return fail('signature_invalid', `What was signed is not ${wordOf[name]} that this change makes.`, { fix: 'Load the page and sign again.' });
    const signed = await signedByOwners(envelope.value, need.judge, need.purpose, verify);
    if (signed.invalid) return fail('signature_invalid', `A signature on ${wordOf[name]} does not verify.`);
    if (signed.people.length === 0) {
      return signed.kindRefused
        ? fail('key_kind_refused', `The trust root does not let this kind of key sign ${wordOf[name]}.`)
        : fail('forbidden', `No owner who may sign ${wordOf[name]} has signed it.`);
    }
    checked[name] = envelope.value;
  }
  return Object.keys(checked).length > 0 ? ok(checked) : fail('signature_invalid', 'There is no signature to take in.');
}

/** Both collections as one. What was kept over other bytes (roster or policy went on since) is dropped: it has to be signed again. */
export function joined(documents: TrustDocuments, kept: Envelopes, added: Envelopes): Envelopes {
  const all: { [Name in DocumentName]?: Envelope } = {};
  for (const name of documentNames) {
    const need = documents.needs[name];
    const [old, fresh] = [kept[name], added[name]];
    const usable = need && old && holds(old, need) ? old : undefined;
    const both = usable && fresh ? collectSignatures(usable, fresh) : (fresh ?? usable);
    if (both) all[name] = both;
  }
  return all;
}

/** Counted anew from the signatures alone, whatever a row says. A bad signature makes its envelope worth nothing. */
export async function signedSoFar(documents: TrustDocuments, envelopes: Envelopes, verify: VerifySignature): Promise<{ readonly [Name in DocumentName]?: Signed }> {
  const found: { [Name in DocumentName]?: Signed } = {};
  for (const name of documentNames) {
    const need = documents.needs[name];
    if (!need) continue;
    const envelope = envelopes[name];
    const signed = envelope && holds(envelope, need) ? await signedByOwners(envelope, need.judge, need.purpose, verify) : undefined;
    const people = signed && !signed.invalid ? signed.people : [];
    found[name] = { people, enough: people.length >= need.needed };
  }
  return found;
}

export const keptText = (envelopes: Envelopes): string =>
  JSON.stringify(Object.fromEntries(documentNames.flatMap((name) => { const one = envelopes[name]; return one ? [[name, envelopeText(one)]] : []; })));

/** Envelopes as a row keeps them. What cannot be read was never signed. */
export function keptEnvelopes(text: string): Envelopes {
  const kept: { [Name in DocumentName]?: Envelope } = {};
  const value = jsonObject(text);
  for (const name of documentNames) {
    const one: unknown = value[name];
    const envelope = typeof one === 'string' ? parseEnvelope(one) : undefined;
    if (envelope?.ok) kept[name] = envelope.value;
  }
  return kept;
}

export const wordOf: { readonly [Name in DocumentName]: string } = {
  trust_root: 'the trust root', roster: 'the roster', policy: 'the policy', policy_revision: 'the revision of the policy',
};

function holds(envelope: Envelope, { part }: DocumentNeed): boolean {
  const payload = envelopePayload(envelope);
  return envelope.payloadType === part.payload_type && payload !== undefined && bytesEqual(payload, part.bytes);
}

function jsonObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}
