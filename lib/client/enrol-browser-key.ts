import { signKeyEnrolment } from '@/lib/authority/key-enrolment';
import type { ActionResult } from '@/lib/contracts/console/action-result';
import type { EnrolKeyInput, EnrolKeyOutcome } from '@/lib/contracts/console/keys';
import { envelopeText } from '@/lib/shared/dsse';
import type { PersonId, WorkspaceId } from '@/lib/shared/ids';

import { browserKeysOf, forgetBrowserKey, makeBrowserKey, signerOf, storeBrowserKey } from './browser-keys';

type Enrol = (input: EnrolKeyInput) => Promise<ActionResult<EnrolKeyOutcome>>;

/**
 * Makes a key in this browser, says "this is my key" with it, and sends that to be countersigned. Stored before it is
 * sent: if the answer is lost on the way the key is still here, and asking again enrols the same one.
 */
export async function enrolBrowserKey(person: PersonId, workspace: WorkspaceId, known: readonly string[], enrol: Enrol): Promise<ActionResult<EnrolKeyOutcome>> {
  const left = (await browserKeysOf(person)).find(({ entry }) => !known.includes(entry.id));
  const key = left ?? { ...(await makeBrowserKey()), person };
  if (!left) await storeBrowserKey(key);
  const envelope = await signKeyEnrolment({ workspace, person, key: key.entry, at: new Date().toISOString() }, [signerOf(key)]);
  const answer = await enrol({ envelope: envelopeText(envelope) });
  // Refused for good: a key that nobody will countersign is not left lying about. One that was here before may be waiting.
  if (!left && !answer.ok && answer.error.code !== 'unavailable' && answer.error.code !== 'internal') await forgetBrowserKey(key.entry.id);
  return answer;
}
