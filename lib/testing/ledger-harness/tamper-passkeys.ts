import type { Signer } from '@/lib/shared/dsse';
import { assertionBytes } from '@/lib/shared/passkey/assertion';

import { testKey, type TestKey } from '../node-crypto';
import { testPasskey, type AssertionChange } from '../passkey';
import type { ToldLedger } from './teller';
import { revoted } from './tamper-votes';
import { consistent, rewritten, type Tampering } from './tampering';

const vote = 'payment voted by bea';

/** The vote that Bea gave with her passkey, answered for in another way. */
const signedOtherwise = (sign: (told: ToldLedger) => Signer['sign']) => (told: ToldLedger): Promise<ToldLedger> => {
  const { publicKey, signer } = told.cast.keys.bea;
  const key: TestKey = { publicKey, signer: { keyId: signer.keyId, sign: sign(told) } };
  return revoted(told, vote, {}, key);
};
const asserted = (change: AssertionChange) => signedOtherwise(({ cast }) => async (bytes) => assertionBytes(cast.keys.bea.assert(bytes, change)));

const caught = { verify: { check: 'votes', at: vote, says: 'The signature does not verify' }, fsck: consistent, pins: rewritten } as const;

/** What an authenticator, a browser or a thief of keys might have answered in the name of somebody's passkey. */
export const tamperedPasskeys: readonly Tampering[] = [
  { name: 'a passkey’s vote is signed without making sure of the person', history: asserted({ flags: 0x19 }), ...caught },
  { name: 'a passkey’s vote is signed while nobody is there', history: asserted({ flags: 0x1c }), ...caught },
  { name: 'a passkey’s vote is signed on a page of another site', history: asserted({ client: { origin: 'https://console.harbor.example.evil.example' } }), ...caught },
  { name: 'a passkey’s vote is signed for another site', history: asserted({ rpId: 'harbor.example' }), ...caught },
  { name: 'a passkey’s registration is passed off as a vote', history: asserted({ client: { type: 'webauthn.create' } }), ...caught },
  { name: 'a passkey’s answer to another document is passed off as a vote', history: signedOtherwise(({ cast }) => async () => assertionBytes(cast.keys.bea.assert(new Uint8Array([1])))), ...caught },
  { name: 'a passkey’s vote is signed by another passkey', history: signedOtherwise(() => testPasskey('stranger', 'EdDSA', 'console.harbor.example').signer.sign), ...caught },
  { name: 'a passkey’s vote is signed raw, by the very key inside it', history: signedOtherwise(({ cast }) => testKey(`passkey ${cast.seed} bea`).signer.sign), ...caught },
];
