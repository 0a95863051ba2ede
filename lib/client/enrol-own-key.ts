import { signKeyEnrolment } from '@/lib/authority/key-enrolment';
import type { ActionResult } from '@/lib/contracts/console/action-result';
import type { EnrolKeyInput, EnrolKeyOutcome, OwnKeysView } from '@/lib/contracts/console/keys';
import { envelopeText } from '@/lib/shared/dsse';
import { isId, type PersonId } from '@/lib/shared/ids';

import { browserKeysOf, forgetBrowserKey, signerOf, storeBrowserKey, type BrowserKey } from './browser-keys';
import { makeKey, type EnrolKind } from './make-key';
import { signHere } from './sign-here';

type Enrol = (input: EnrolKeyInput) => Promise<ActionResult<EnrolKeyOutcome>>;
type EnrolOptions = {
  readonly person: PersonId;
  /** As the authenticator shows whose passkey it is. */
  readonly name: string;
  readonly own: OwnKeysView;
  readonly kind: EnrolKind;
  /** A key that the person has enrolled already and can use here: it says that the new one is theirs too. */
  readonly earlier: BrowserKey | undefined;
  readonly enrol: Enrol;
};

/**
 * Makes a key, says "this is my key" with it, and sends that to be countersigned. Stored before it is sent: if the answer is lost on the way
 * the key is still known here, and asking again enrols the same one.
 */
export async function enrolOwnKey({ person, name, own, kind, earlier, enrol }: EnrolOptions): Promise<ActionResult<EnrolKeyOutcome>> {
  const { workspace } = own;
  if (!isId('workspace', workspace)) throw new TypeError('The console named no workspace.');
  const listed = [...own.enrolled, ...own.owner];
  const known = new Set([...listed.map(({ id }) => id), ...own.waiting.map(({ key }) => key), ...own.revoked.map(({ key }) => key)]);
  const left = (await browserKeysOf(person)).find(({ entry }) => entry.kind === kind && !known.has(entry.id));
  const key = left ?? { ...(await makeKey(kind, name, listed)), person };
  if (!left) await storeBrowserKey(key);
  const envelope = await signHere(key, (signer) => signKeyEnrolment({ workspace, person, key: key.entry, at: new Date().toISOString() }, [signer, ...(earlier ? [signerOf(earlier)] : [])]));
  const answer = await enrol({ envelope: envelopeText(envelope) });
  // Refused for good: a key that nobody will countersign is not left lying about. One that was here before may be waiting.
  if (!left && !answer.ok && answer.error.code !== 'unavailable' && answer.error.code !== 'internal') await forgetBrowserKey(key.entry.id);
  return answer;
}
