import { personById } from '@/lib/authority/roster-lookup';

import { withChanges } from './changed-requests';
import { inForceAt, ofKind, type Entry } from './parse-entries';
import type { PlacedRoster } from './roster-history';

/**
 * An action that a person made of a held one names the request that it came from: that request was about that action, was routed to
 * the person, and gives way to the new one. Gives the first that does not hold. What lies before the bundle is not judged.
 */
export function faultOfEdits(entries: readonly Entry[], rosters: readonly PlacedRoster[]): { readonly index: number; readonly detail: string } | undefined {
  const requests = ofKind(entries, 'approval_requested');
  const ends = ofKind(entries, 'approval_resolved');
  for (const { index, predicate } of ofKind(entries, 'action_decided')) {
    const { edited_from: from, cause } = predicate;
    if (!from) continue;
    const detail = ((): string | undefined => {
      if (cause !== 'edited') return 'Only an edited action comes from another one.';
      const request = requests.find((one) => one.index < index && one.predicate.approval === from.approval);
      if (!request) return undefined;
      if (request.predicate.action.id !== from.action.id || request.predicate.action.digest !== from.action.digest) return 'An edited action names a request about another action than it came from.';
      const person = inForceAt(rosters, index)?.roster;
      const groups = person && personById(person, from.by)?.groups;
      if (person && groups?.some((group) => withChanges(request, index, entries).approvers.includes(group)) !== true) return 'An action was edited by somebody to whom its request was not routed.';
      const end = ends.find((one) => one.predicate.approval === from.approval);
      return end && end.predicate.state !== 'superseded' ? `An action was edited, and its request ended ${end.predicate.state}.` : undefined;
    })();
    if (detail !== undefined) return { index, detail };
  }
  return undefined;
}
