import { checkAdministration } from './check-administration';
import { checkGrants } from './check-grants';
import { checkGuards } from './check-guards';
import { checkProposals } from './check-proposals';
import { checkSeeded } from './check-seeded';
import { checkStanding } from './check-standing';
import { checkSwitches } from './check-switches';
import { checkTimes } from './check-times';
import type { EventEvidence } from './event-evidence';
import type { Check } from './report';

/** The rules about single kinds of events, in the order in which they are reported. */
export async function checkEvents(evidence: EventEvidence): Promise<readonly Check[]> {
  return [
    await checkProposals(evidence),
    await checkGrants(evidence),
    await checkStanding(evidence),
    await checkSeeded(evidence),
    await checkSwitches(evidence),
    checkGuards(evidence),
    await checkAdministration(evidence),
    checkTimes(evidence.entries),
  ];
}
