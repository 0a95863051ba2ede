import { bundleBytes, type Bundle } from '@/lib/ledger/bundle';
import { readManifest, sealBundle } from '@/lib/ledger/bundle-manifest';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { signEnvelope } from '@/lib/shared/dsse';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import { keyId, type Digest } from '@/lib/shared/ids';
import type { CheckId, Verdict } from '@/lib/verify/report';
import { verifyBundle } from '@/lib/verify/verify-bundle';

import { testId, testKeys, testTime, testWorkspace, type LedgerBuilder } from './ledger-builder';
import { builtFrom } from './ledger-harness/sign-told';
import { fingerprintOf } from './ledger-harness/cast';
import { tellLedger } from './ledger-harness/tell-ledger';
import { allowedAction, approvedAction, beginStory, contextAt, decided, people, policyText, redeemAndReport, session, storyFingerprint, wholeStory } from './ledger-story';
import { nodeSha256 as sha256, nodeVerifySignature as verifySignature, testKey } from './node-crypto';

/** A bundle, the fingerprint to give, and what a verifier without an engine has to say. */
export type LedgerVector = { readonly what: string; readonly file: string; readonly root: Digest | null } & Expected;
export type Expected = { readonly verdict: Verdict; readonly exit: number; readonly failing: readonly CheckId[]; readonly unknown: readonly CheckId[] };

type Made = { readonly what: string; readonly file: string; readonly bytes: Uint8Array; readonly root?: Digest | null };

const exits: Readonly<Record<Verdict, number>> = { verified: 0, failed: 1, unreadable: 2, consistent_issuer_not_verified: 3 };

export const everyKindFile = 'every-kind.json';

/** The vectors of the format's page: each file once, and each case with what it has to come to. Made from keys that follow from words, so each run makes the same bytes. */
export async function ledgerVectors(): Promise<{ readonly files: ReadonlyMap<string, Uint8Array>; readonly cases: readonly LedgerVector[] }> {
  const files = new Map<string, Uint8Array>();
  const cases: LedgerVector[] = [];
  for (const { what, file, bytes, root = storyFingerprint } of [...(await soundOnes()), ...(await tamperedOnes()), await everyKind()]) {
    files.set(file, bytes);
    cases.push({ what, file, root, ...(await expectedOf(bytes, root)) });
  }
  return { files, cases };
}

export async function expectedOf(bytes: Uint8Array, root: Digest | null): Promise<Expected> {
  const { verdict, checks } = await verifyBundle(bytes, { sha256, verifySignature, ...(root === null ? {} : { root }) });
  const inState = (state: string): readonly CheckId[] => checks.filter((check) => check.state === state).map(({ id }) => id);
  return { verdict, exit: exits[verdict], failing: inState('fail'), unknown: inState('unknown') };
}

async function everyKind(): Promise<Made> {
  const told = await tellLedger('vectors', testWorkspace);
  const bytes = await (await builtFrom(told)).bytes({ signer: told.cast.keys.console });
  return { what: 'a receipt of every kind, two trust roots, two rosters, three policies', file: everyKindFile, bytes, root: fingerprintOf(told.cast) };
}

async function soundOnes(): Promise<readonly Made[]> {
  const story = await wholeStory();
  const whole = await story.bytes();
  return [
    { what: 'one action allowed, one approved by a person, one denied; two checkpoints', file: 'whole.json', bytes: whole },
    { what: 'the same, without a fingerprint', file: 'whole.json', bytes: whole, root: null },
    { what: 'the same, with another fingerprint', file: 'whole.json', bytes: whole, root: digestOf(sha256, utf8('another root')) },
    { what: 'all content withheld', file: 'withheld.json', bytes: await story.bytes({ withhold: true }) },
    { what: 'positions 4 to 9 of it', file: 'range.json', bytes: await story.bytes({ from: 4, to: 9 }) },
    { what: 'the receipts of its session, each proved by itself', file: 'session.json', bytes: await story.bytes({ session }) },
  ];
}

async function tamperedOnes(): Promise<readonly Made[]> {
  const story = await wholeStory();
  const whole = await story.bundle();
  const bytes = bundleBytes(whole);
  const [first, ...others] = whole.contents;
  if (!first) throw new Error('The story has contents.');
  const policy = { signature: await signEnvelope('application/vnd.countersign.policy', utf8(`${policyText}# and more\n`), [testKeys.console.signer]), apply: whole.policies[0]?.apply ?? whole.manifest };
  return [
    { what: 'the last byte is cut off', file: 'truncated.json', bytes: bytes.slice(0, -1) },
    { what: 'one leaf is left out', file: 'leaf-left-out.json', bytes: bundleBytes({ ...whole, leaves: whole.leaves.toSpliced(5, 1) }) },
    { what: 'one leaf is left out, and the exporter’s key signs that', file: 'leaf-left-out-resealed.json', bytes: await resealed({ ...whole, leaves: whole.leaves.toSpliced(5, 1) }) },
    { what: 'a content says something else', file: 'content-altered.json', bytes: await resealed({ ...whole, contents: [{ ...first, value: { tool: 'email', operation: 'send', parameters: { to: ['b@corp.example'] } } }, ...others] }) },
    { what: 'the policy’s text is another one', file: 'policy-altered.json', bytes: await resealed({ ...whole, policies: [policy] }) },
    { what: 'a checkpoint signed by the console', file: 'checkpoint-by-console.json', bytes: await told(async (ledger) => allowedAction(ledger, 1, 1).then(() => ledger.checkpoint(testKeys.console)), false) },
    { what: 'a receipt signed by a key that nobody delegated', file: 'unknown-key.json', bytes: await told((ledger) => ledger.append('session_closed', { session, cause: 'closed', by: { kind: 'orchestrator', id: 'helpdesk' }, ...contextAt(2) }, testKey('stranger'))) },
    { what: 'a permit signed by the console', file: 'permit-by-console.json', bytes: await told((ledger) => ledger.append('action_decided', decided(ledger, 1, 1), testKeys.console)) },
    { what: 'a decision that did not see what its session had done', file: 'context-skipped.json', bytes: await told(async (ledger) => allowedAction(ledger, 1, 1).then(() => ledger.append('action_decided', decided(ledger, 2, 1)))) },
    { what: 'a vote by the person whom the session is for', file: 'vote-by-requester.json', bytes: await told((ledger) => approvedAction(ledger, 1, 1, { vote: { person: people.requester }, statement: { voter: { person: people.requester, key: keyId(testKeys.approver.signer.keyId), key_kind: 'browser-ed25519' } } })) },
    { what: 'a vote for another request', file: 'vote-moved.json', bytes: await told((ledger) => approvedAction(ledger, 1, 1, { statement: { request: testId('approval', 9) } })) },
    { what: 'a vote signed by another key', file: 'vote-forged.json', bytes: await told((ledger) => approvedAction(ledger, 1, 1, { signer: testKey('stranger') })) },
    { what: 'an approval behind which no vote stands', file: 'quorum-not-met.json', bytes: await told((ledger) => approvedAction(ledger, 1, 1, { resolved: { votes: [] } })) },
    { what: 'a permit redeemed twice', file: 'redeemed-twice.json', bytes: await told(async (ledger) => redeemAndReport(ledger, 1, await allowedAction(ledger, 1, 1), 4)) },
    { what: 'an outcome without a permit', file: 'outcome-without-permit.json', bytes: await told(async (ledger) => {
      const { permit: _permit, ...denied } = decided(ledger, 1, 1, { decision: 'DENY', state: 'denied', code: 'denied_by_default' });
      await ledger.append('action_decided', denied);
      await redeemAndReport(ledger, 1, denied.action, 2);
    }) },
    { what: 'a receipt dated long before the one before it', file: 'backdated.json', bytes: await told((ledger) => ledger.append('session_closed', { session, cause: 'closed', by: { kind: 'orchestrator', id: 'helpdesk' }, at: testTime(-86_400), ...contextAt(2) })) },
  ];
}

/** The beginning of the story, then something that must not be, signed as if it might. */
async function told(happens: (ledger: LedgerBuilder) => Promise<unknown>, closing = true): Promise<Uint8Array> {
  const ledger = await beginStory();
  await happens(ledger);
  if (closing) await ledger.checkpoint();
  return await ledger.bytes();
}

/** What whoever holds an exporter's key does: change a part and sign the manifest over it again. */
async function resealed(bundle: Bundle): Promise<Uint8Array> {
  const { schema: _schema, manifest, ...parts } = bundle;
  const read = readManifest(manifest);
  if (!read.ok) throw new Error(read.error.detail);
  const { schema: _form, counts: _counts, digests: _digests, ...facts } = read.value;
  return bundleBytes(await sealBundle(sha256, parts, facts, testKeys.console.signer));
}

/** The list of cases as it lies beside the files. */
export const vectorsText = (cases: readonly LedgerVector[]): string => `${JSON.stringify(cases.map((one) => JSON.parse(canonicalJson(asJson(one))) as LedgerVector), null, 1)}\n`;
