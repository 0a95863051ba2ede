import { normalEmail } from '@/lib/shared/email';

import type { HeldAction } from './held-action';
import type { Approver } from './vote';

/** What somebody has to do with a held action beside approving it. */
export type Involvement = 'none' | 'requester' | 'registrant';

export type Separation = {
  readonly involvement: Involvement;
  /** True: this person's approval does not count. */
  readonly barred: boolean;
};

/** What somebody who is barred is told. */
export const whyBarred: { readonly [I in Involvement]: string } = {
  none: '',
  requester: 'The agent acts for you, so you cannot approve this.',
  registrant: 'You registered this agent, so you cannot approve this.',
};

/**
 * The one place that decides about separation of duties: the human an agent acts for, and whoever registered that agent,
 * may not approve. A signed policy may switch that off for a solo owner, never for critical impact; `involvement` then
 * goes into the receipt.
 */
export function separationOf(
  person: Pick<Approver, 'id' | 'email'>,
  held: Pick<HeldAction, 'approvers' | 'impact' | 'identity'>,
): Separation {
  const involvement = involvementOf(person, held.identity);
  const enforced = held.approvers.separation || held.impact === 'critical';
  return { involvement, barred: involvement !== 'none' && enforced };
}

function involvementOf(person: Pick<Approver, 'id' | 'email'>, identity: HeldAction['identity']): Involvement {
  // By id and by address: a session may have been opened for an address before, or under another spelling than, the roster's.
  if (person.id === identity.human_person || normalEmail(person.email) === normalEmail(identity.human)) return 'requester';
  return person.id === identity.registered_by ? 'registrant' : 'none';
}
