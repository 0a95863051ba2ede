import path from 'node:path';

import { scryptPasswords } from '@/lib/auth/scrypt-passwords';
import { viewerOf } from '@/lib/auth/viewer-of';
import { signKeyEnrolment } from '@/lib/authority/key-enrolment';
import { signVote, voteStatement } from '@/lib/approvals/vote-statement';
import { checksOf } from '@/lib/approvals/checks';
import type { HeldAction } from '@/lib/approvals/held-action';
import type { VoteStatement } from '@/lib/approvals/vote';
import type { Viewer } from '@/lib/contracts/console/viewer';
import { createStores } from '@/lib/db/create-stores';
import { createPool } from '@/lib/db/pool';
import { postgresConsoleReads } from '@/lib/db/reads/console-reads';
import { reconciliationReads } from '@/lib/db/reads/reconciliation-reads';
import { sessionHistory } from '@/lib/db/reads/session-history';
import { compilePolicyText } from '@/lib/server/compile-policy-text';
import { attachedGuards } from '@/lib/server/guard-directory/attached-guards';
import { delegatedKeys } from '@/lib/server/delegated-keys';
import { generateKey, type SigningKey } from '@/lib/server/ed25519';
import { filePinStore, setUpPin, writePin } from '@/lib/server/file-pin-store';
import { fileRecoveryMemory } from '@/lib/server/file-recovery-memory';
import { fileTightenedMemory } from '@/lib/server/file-tightened-memory';
import { readStatement } from '@/lib/ledger/statement';
import { nodeBase64Text } from '@/lib/server/node-base64';
import { nodeSha256, nodeSha256OfText } from '@/lib/server/node-sha256';
import { randomIds } from '@/lib/server/random-ids';
import { ownServiceKey } from '@/lib/server/service-keys';
import { systemClock } from '@/lib/server/system-clock';
import { verifySignature } from '@/lib/server/verify-signature';
import { authorityInForce } from '@/lib/services/authority-in-force';
import { completeRosterChange } from '@/lib/services/console/complete-roster-change';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { enrolKey } from '@/lib/services/console/enrol-key';
import { prepareRosterChange } from '@/lib/services/console/prepare-roster-change';
import type { RosterChange } from '@/lib/contracts/console/roster';
import { findSuggestions } from '@/lib/services/proof/suggest/find-suggestions';
import { receiptSigner } from '@/lib/services/sign-receipt';
import { envelopePayload, envelopeText, parseEnvelope, preAuthenticationEncoding, signEnvelope, type Envelope } from '@/lib/shared/dsse';
import { toBase64, utf8 } from '@/lib/shared/encoding';
import type { PersonId, WorkspaceId } from '@/lib/shared/ids';
import type { KeyKind, PublicKeyEntry } from '@/lib/shared/keys';
import type { Result } from '@/lib/shared/result';

import { planePolicy } from './plane-policy';

/** The console's parts on a database and state directory, as its own process would join them. */
export async function testConsole(where: {
  readonly databaseUrl: string;
  readonly workspace: WorkspaceId;
  readonly stateDirectory: string;
  readonly changes?: Partial<ConsoleParts>;
}): Promise<{ readonly parts: ConsoleParts; readonly close: () => Promise<void> }> {
  const { workspace, stateDirectory } = where;
  const pool = createPool({ url: where.databaseUrl, max: 6, onIdleError: () => undefined });
  const stores = createStores(pool, workspace);
  const ids = randomIds();
  const key = await ownServiceKey(stateDirectory, 'console');
  const pins = filePinStore({ stateDirectory, role: 'console', rootPin: undefined });
  const cryptography = { verify: verifySignature, sha256: nodeSha256 };
  const inForce = authorityInForce({ authority: stores.authority, credentials: stores.credentials, log: stores.log, pins, cryptography, compile: compilePolicyText, recoveries: fileRecoveryMemory(stateDirectory), tightened: fileTightenedMemory(stateDirectory), ...(where.changes?.clock && { clock: where.changes.clock }) });
  const parts: ConsoleParts = {
    ...stores,
    workspace,
    cryptography: { ...cryptography, isAt: inForce.isAt },
    ids,
    clock: systemClock,
    sign: receiptSigner({ workspace, sha256: nodeSha256, signer: key.signer, ids }),
    signer: key.signer,
    productVersion: 'test',
    passwords: scryptPasswords(),
    compile: compilePolicyText,
    inForce,
    pins,
    pinRoot: (pin) => writePin(path.join(stateDirectory, setUpPin), pin),
    reads: postgresConsoleReads(pool, workspace),
    reconciliation: reconciliationReads(pool, workspace),
    history: sessionHistory(pool, workspace),
    serviceKeys: () => delegatedKeys(stateDirectory),
    starterPolicy: (mode) => ({ text: mode === 'solo' ? planePolicy.replace('separation: required', 'separation: off') : planePolicy, format: 'yaml' }),
    guards: attachedGuards([], -1),
    channels: [],
    demoOwner: null,
    suggest: (work) => findSuggestions({ log: stores.log, content: stores.content, sha256: nodeSha256, sha256OfText: nodeSha256OfText, text: nodeBase64Text }, compilePolicyText, work),
    ...where.changes,
  };
  return { parts, close: () => pool.end() };
}

export const listed = (key: SigningKey, kind: KeyKind = 'browser-ed25519'): PublicKeyEntry => ({ id: key.id, kind, public_key: toBase64(key.publicKey) });

export const valueOf = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.detail}`, { cause: result.error });
  return result.value;
};

/** How it ended: `ok`, or the code of its failure. */
export const codeOf = (result: Result<unknown>): string => (result.ok ? 'ok' : result.error.code);

export const signText = async (document: { readonly payload_type: string; readonly text: string }, ...keys: readonly SigningKey[]): Promise<string> =>
  envelopeText(await signEnvelope(document.payload_type, utf8(document.text), keys.map(({ signer }) => signer)));

export async function countersign(envelope: string, key: SigningKey): Promise<string> {
  const read = valueOf(parseEnvelope(envelope));
  const sig = toBase64(await key.signer.sign(preAuthenticationEncoding(read.payloadType, envelopePayload(read) ?? new Uint8Array())));
  return envelopeText({ ...read, signatures: [...read.signatures, { keyid: key.id, sig }] });
}

/** The person as a session would present them. */
export async function viewerById(parts: ConsoleParts, person: PersonId): Promise<Viewer> {
  const row = await parts.people.byId(person);
  const viewer = row && viewerOf(row, await parts.inForce.refresh());
  if (!viewer) throw new Error(`${person} is nobody.`);
  return viewer;
}

/** An owner takes a change of the roster into force with their key. */
export async function changeRoster(parts: ConsoleParts, owner: { readonly person: PersonId; readonly key: SigningKey }, change: RosterChange): Promise<number> {
  const prepared = valueOf(await prepareRosterChange(parts, change));
  const roster = await signText(prepared.roster, owner.key);
  const countersigned = prepared.enrolment_envelope === null ? {} : { countersigned: await countersign(prepared.enrolment_envelope, owner.key) };
  return valueOf(await completeRosterChange(parts, owner.person, { change, roster, ...countersigned })).version;
}

/** A new browser key of a person, enrolled by the person and countersigned by the owner. */
export async function enrolled(parts: ConsoleParts, owner: { readonly person: PersonId; readonly key: SigningKey }, person: PersonId): Promise<SigningKey> {
  const key = generateKey();
  const envelope = await signKeyEnrolment({ workspace: parts.workspace, person, key: listed(key), at: new Date().toISOString() }, [key.signer]);
  valueOf(await enrolKey(parts, await viewerById(parts, person), { envelope: envelopeText(envelope) }));
  await changeRoster(parts, owner, { kind: 'enrol_key', enrolment: key.id });
  return key;
}

/** A vote as the approver's browser signs it, every check ticked; `changes` alter the statement before it is signed. */
export async function signedVote(held: HeldAction, person: PersonId, key: SigningKey, changes: Partial<VoteStatement> = {}): Promise<string> {
  const statement = voteStatement(
    held,
    {
      verdict: 'approve', reason: 'Looked at it.', checks: checksOf(held).map(({ id }) => id), nonce: '0123456789abcdef0123456789abcdef',
      voter: { person, key: key.id, key_kind: 'browser-ed25519' }, signed_at: new Date().toISOString(),
    },
    nodeSha256,
  );
  const envelope: Envelope = await signVote({ ...statement, ...changes }, key.signer);
  return envelopeText(envelope);
}

/** Receipts of the log whose statement cannot be read back: a field too many is signed without complaint, and unreadable for ever. */
export async function unreadableReceipts(parts: Pick<ConsoleParts, 'log'>): Promise<readonly string[]> {
  const { size } = await parts.log.head();
  const faults: string[] = [];
  for (const row of await parts.log.range(0n, size, 10_000)) {
    const body = readStatement(nodeSha256, valueOf(parseEnvelope(row.envelope)));
    if (!body.ok) faults.push(`${row.kind}: ${body.error.detail} ${JSON.stringify(body.error.issues ?? [])}`);
  }
  return faults;
}
