import { describe, expect, test } from 'vitest';

import type { Envelope } from '@/lib/shared/dsse';
import { cryptography, listedKey, listedPerson, person, testId, testRoot, testRoster } from '@/lib/testing/authority-documents';
import { digestOfDigit } from '@/lib/testing/held-actions';
import { nodeSha256 } from '@/lib/testing/node-crypto';

import { signKeyEnrolment, verifyKeyEnrolment } from './key-enrolment';
import { credentialByTokenDigest, isListedFor, keyOwner, membersOf, personByEmail } from './roster-lookup';
import type { Roster } from './roster';
import { rosterDigest, signRoster } from './sign-documents';
import type { TrustRoot } from './trust-root';
import { verifyNextRoster, verifyRoster } from './verify-roster';

const root = testRoot();
const ada = listedKey('ada');
const roster = testRoster();

const outcome = async (document: Roster, signers = [ada.signer], under: TrustRoot = root) => {
  const result = await verifyRoster(await signRoster(document, signers), under, cryptography);
  return result.ok ? 'accepted' : `${result.error.code}: ${result.error.detail}`;
};

describe('a roster', () => {
  test('counts when an owner of the trust root signed it', async () => {
    const result = await verifyRoster(await signRoster(roster, [ada.signer]), root, cryptography);
    expect(result).toEqual({ ok: true, value: { roster, digest: rosterDigest(roster, nodeSha256) } });
  });

  test('gives an admin without an owner key nothing', async () => {
    expect(await outcome(roster, [listedKey('ben').signer])).toContain('0 of 1');
  });

  test.each<[string, Partial<Roster>, string]>([
    ['of another workspace', { workspace: testId('workspace', 'other') }, 'another workspace'],
    ['resting on a trust root to come', { root_version: 2 }, 'not in force'],
    ['in which two people share a key', { people: [listedPerson('ben'), listedPerson('eve', { keys: [listedKey('ben').entry] })] }, 'schema'],
    ['in which two people share an address', { people: [listedPerson('ben'), listedPerson('eve', { email: 'ben@halden.example' })] }, 'schema'],
    ['with an address in another spelling', { people: [listedPerson('ben', { email: 'Ben@halden.example' })] }, 'schema'],
    ['that lists a person with a service key', { people: [listedPerson('ben', { keys: [listedKey('plane').entry] })] }, 'service'],
    ["that lists an owner's key for somebody else", { people: [listedPerson('eve', { keys: [ada.entry] })] }, 'somebody else'],
    ['with a key under a false id', { people: [listedPerson('ben', { keys: [{ ...listedKey('ben').entry, id: listedKey('eve').entry.id }] })] }, 'not the hash'],
  ])('is refused: one %s', async (_, changes, why) => {
    const said = await outcome(testRoster(changes));
    expect(said).toMatch(/^roster_invalid/);
    expect(said).toContain(why);
  });

  test('is refused for one bad signature of an owner, even when the others would do', async () => {
    const pair = testRoot({ owners: [...root.owners, { person: person('ben'), key: listedKey('ben').entry }] });
    const forger = { keyId: listedKey('ben').signer.keyId, sign: listedKey('eve').signer.sign };
    expect(await outcome(roster, [ada.signer, forger], pair)).toContain('does not verify');
  });

  test('an altered byte is refused', async () => {
    const signed = await signRoster(roster, [ada.signer]);
    const other = await signRoster(testRoster({ people: [] }), [ada.signer]);
    const altered: Envelope = { ...signed, payload: other.payload };
    expect(await verifyRoster(altered, root, cryptography)).toMatchObject({ ok: false, error: { code: 'roster_invalid' } });
  });

  test('replaces only the one that it names, one version up', async () => {
    const current = { roster, digest: rosterDigest(roster, nodeSha256) };
    const next = testRoster({ version: 2, previous: current.digest });
    const check = async (document: Roster) => (await verifyNextRoster(await signRoster(document, [ada.signer]), root, current, cryptography)).ok;
    expect(await check(next)).toBe(true);
    expect(await check(roster)).toBe(false);
    expect(await check({ ...next, version: 3 })).toBe(false);
    expect(await check({ ...next, previous: digestOfDigit('0') })).toBe(false);
  });
});

describe('looking things up', () => {
  test('an e-mail address finds its person in any spelling', () => {
    expect(personByEmail(roster, ' BEN@Halden.Example ')?.id).toBe(person('ben'));
  });

  test('no groups means nobody, and a suspended member is none', () => {
    expect(membersOf(roster, [])).toEqual([]);
    const suspended = testRoster({ people: [listedPerson('ben', { suspended: true })] });
    expect(membersOf(suspended, ['security'])).toEqual([]);
    expect(membersOf(roster, ['security']).map(({ name }) => name)).toEqual(['ada', 'ben']);
  });

  test('a key leads to its owner and a token digest to its credential', () => {
    expect(keyOwner(roster, listedKey('ben').entry.id)?.person.id).toBe(person('ben'));
    expect(keyOwner(roster, listedKey('eve').entry.id)).toBeUndefined();
    expect(credentialByTokenDigest(roster, digestOfDigit('0'))).toBeUndefined();
  });

  test('a list that is left out gives nothing', () => {
    expect(isListedFor({}, 'agents', 'ops')).toBe(false);
    expect(isListedFor({ agents: ['*'] }, 'agents', 'ops')).toBe(true);
    expect(isListedFor({ agents: ['ops'] }, 'agents', 'OPS')).toBe(false);
    expect(isListedFor({ humans: ['priya@halden.example'] }, 'humans', 'Priya@halden.example')).toBe(true);
  });
});

describe('a key enrolment', () => {
  const fresh = listedKey('ben phone', 'browser-ed25519');
  const enrolment = { workspace: root.workspace, person: person('ben'), key: fresh.entry, at: '2027-03-01T10:00:00.000Z' };
  const code = async (signers: Parameters<typeof signKeyEnrolment>[1], change = {}) => {
    const result = await verifyKeyEnrolment(await signKeyEnrolment({ ...enrolment, ...change }, signers), root, roster, cryptography);
    return result.ok ? 'accepted' : result.error.code;
  };

  test('counts with the new key and an owner, or with the new key and an earlier one of the person', async () => {
    expect(await code([fresh.signer, ada.signer])).toBe('accepted');
    expect(await code([fresh.signer, listedKey('ben').signer])).toBe('accepted');
  });

  test('needs the new key itself', async () => {
    expect(await code([ada.signer])).toBe('signature_invalid');
  });

  test('gives no key under the id of another', async () => {
    const forger = { keyId: listedKey('eve').entry.id, sign: fresh.signer.sign };
    expect(await code([forger, ada.signer], { key: { ...fresh.entry, id: listedKey('eve').entry.id } })).toBe('signature_invalid');
  });

  test('needs more than the new key', async () => {
    expect(await code([fresh.signer])).toBe('forbidden');
    expect(await code([fresh.signer, listedKey('priya').signer])).toBe('forbidden');
  });

  test('gives no key that somebody has already, and none to a stranger', async () => {
    expect(await code([listedKey('priya').signer, ada.signer], { key: listedKey('priya').entry })).toBe('conflict');
    expect(await code([listedKey('plane').signer, ada.signer], { key: listedKey('plane').entry })).toBe('conflict');
    expect(await code([fresh.signer, ada.signer], { person: person('nobody') })).toBe('not_found');
  });
});
