import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser';

import { fromBase64, toBase64 } from '@/lib/shared/encoding';
import type { Signer } from '@/lib/shared/dsse';
import { keyIdOf, type PublicKeyEntry } from '@/lib/shared/keys';
import { assertionBytes } from '@/lib/shared/passkey/assertion';
import { coseAlgorithms, coseKeyAtFront } from '@/lib/shared/passkey/cose-key';
import { base64Url } from '@/lib/shared/passkey/fault-of-client-data';
import { isRpId, passkeyBytes, readPasskey } from '@/lib/shared/passkey/passkey-entry';
import { challengeOf } from '@/lib/shared/passkey/verify-assertion';

import { sha256 } from './hash';
import { ReadFault } from './parse-answer';
import { verifySignature } from './verify-signature';

/** How long a person has to answer their authenticator, in milliseconds. */
const patienceMs = 120_000;

/**
 * Makes a passkey for this site. Its authenticator has to make sure who uses it; what it attests about itself is not asked, for the
 * key proves itself by signing. Throws a `ReadFault` when none is made.
 */
export async function makePasskey(name: string, known: readonly PublicKeyEntry[]): Promise<{ readonly entry: PublicKeyEntry }> {
  const rpId = siteOfPage();
  const made = await asked(() =>
    startRegistration({
      optionsJSON: {
        rp: { id: rpId, name: 'Countersign' },
        // Never the person's id or address: whoever holds the authenticator could read it there.
        user: { id: base64Url(crypto.getRandomValues(new Uint8Array(32))), name, displayName: name },
        challenge: base64Url(crypto.getRandomValues(new Uint8Array(32))),
        pubKeyCredParams: coseAlgorithms.map((alg) => ({ alg, type: 'public-key' })),
        timeout: patienceMs,
        attestation: 'none',
        excludeCredentials: known.flatMap((entry) => credentialOf(entry, rpId) ?? []),
        authenticatorSelection: { userVerification: 'required', residentKey: 'preferred' },
      },
    }),
  );
  const credentialId = fromBase64Url(made.rawId);
  const coseKey = coseKeyOf(fromBase64Url(made.response.authenticatorData ?? ''), credentialId);
  if (!credentialId || !coseKey) throw unusable('It made a key of a kind that is not accepted here: ES256 and Ed25519 are.');
  const bytes = passkeyBytes({ coseKey, credentialId, rpId });
  return { entry: { id: keyIdOf(sha256, bytes), kind: 'passkey', public_key: toBase64(bytes) } };
}

/** Asks the passkey for each signature, one after the other: a browser gives up the first question when a second is asked. */
export function passkeySigner(entry: PublicKeyEntry): Signer {
  return { keyId: entry.id, sign: (bytes) => inTurn(() => signWith(entry, bytes)) };
}

/** True when the passkey belongs to the site of this page: only there a browser can ask it. */
export function canAskHere(entry: PublicKeyEntry): boolean {
  return entry.kind === 'passkey' && readPasskey(fromBase64(entry.public_key) ?? new Uint8Array())?.rpId === location.hostname;
}

/** Passkeys need a host name and a secure context: an address of digits has none. */
export const canMakePasskeys = (): boolean => typeof PublicKeyCredential === 'function' && isSecureContext && isRpId(location.hostname) && !/^[0-9.]+$/.test(location.hostname);

async function signWith(entry: PublicKeyEntry, bytes: Uint8Array): Promise<Uint8Array> {
  const rpId = siteOfPage();
  const credential = credentialOf(entry, rpId);
  if (!credential) throw unusable(`This passkey belongs to another address than ${rpId}.`);
  const { response } = await asked(() =>
    startAuthentication({ optionsJSON: { rpId, challenge: base64Url(challengeOf(bytes, sha256)), allowCredentials: [credential], userVerification: 'required', timeout: patienceMs } }),
  );
  const [authenticatorData, clientDataJson, signature] = [response.authenticatorData, response.clientDataJSON, response.signature].map(fromBase64Url);
  if (!authenticatorData || !clientDataJson || !signature) throw unusable('Its answer cannot be read.');
  const sig = assertionBytes({ authenticatorData, clientDataJson, signature });
  // Judged here as everybody will judge it: an authenticator that skips the person's check is told so before anything is sent.
  if (!(await verifySignature(fromBase64(entry.public_key) ?? new Uint8Array(), bytes, sig))) throw unusable('It signed, but not so that it counts: it has to make sure who uses it, for this page and this document.');
  return sig;
}

let last: Promise<unknown> = Promise.resolve();

function inTurn<T>(ask: () => Promise<T>): Promise<T> {
  const turn = last.then(ask, ask);
  last = turn.catch(() => undefined);
  return turn;
}

function credentialOf(entry: PublicKeyEntry, rpId: string) {
  const passkey = entry.kind === 'passkey' ? readPasskey(fromBase64(entry.public_key) ?? new Uint8Array()) : undefined;
  return passkey?.rpId === rpId ? { id: base64Url(passkey.credentialId), type: 'public-key' as const } : undefined;
}

/**
 * The key in an authenticator's answer to making one: behind the site's hash, flags, counter, the maker's id (16 bytes) and the
 * credential's id with its length. Source: Web Authentication Level 3, section 6.5.1.
 */
function coseKeyOf(data: Uint8Array | undefined, credentialId: Uint8Array | undefined): Uint8Array | undefined {
  if (!data || !credentialId) return undefined;
  return coseKeyAtFront(data.slice(37 + 16 + 2 + credentialId.length));
}

function siteOfPage(): string {
  if (!canMakePasskeys()) throw unusable(`Passkeys need https or localhost, and a name: ${location.host} is neither.`);
  return location.hostname;
}

async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    throw unanswered(cause);
  }
}

/** Browsers say little on purpose: a page is not to learn which passkeys somebody has. */
function unanswered(cause: unknown): ReadFault {
  const code = cause instanceof WebAuthnError ? cause.code : undefined;
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return unusable('This authenticator holds a passkey of yours already.', 'Use that one, or another authenticator.');
  if (code === 'ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT') return unusable('It cannot make sure who uses it.', 'Set a PIN or fingerprint for it, or use another one.');
  if (cause instanceof Error && (cause.name === 'NotAllowedError' || cause.name === 'AbortError')) {
    return fault('Your passkey didn’t answer', 'It was cancelled, timed out, is not at hand, or could not make sure that it is you.', 'Try again, or use another key.');
  }
  return unusable(cause instanceof Error ? cause.message : String(cause));
}

const unusable = (detail: string, fix = 'Use another passkey, or another key.'): ReadFault => fault('Your passkey could not be used', detail, fix);
const fault = (title: string, detail: string, fix: string): ReadFault => new ReadFault({ code: 'signature_invalid', title, detail, fix, issues: [] });

const fromBase64Url = (text: string): Uint8Array | undefined => fromBase64(text.replaceAll('-', '+').replaceAll('_', '/').padEnd(Math.ceil(text.length / 4) * 4, '='));
