import { parseHeldAction } from '@/lib/approvals/parse-held-action';
import { personById } from '@/lib/authority/roster-lookup';
import type { Digest } from '@/lib/shared/ids';
import type { Json } from '@/lib/shared/json';

import { inForceAt, ofKind, type Entry } from './parse-entries';
import type { PlacedRoster } from './roster-history';

/**
 * Where all groups of a rule must take part: the first request that was called approved although one had not. Only what was held says
 * that all must, so without it nothing is said here; the number of people is another check's.
 */
export function faultOfGroups(entries: readonly Entry[], contents: ReadonlyMap<Digest, Json>, rosters: readonly PlacedRoster[]): { readonly index: number; readonly detail: string } | undefined {
  const requests = new Map(ofKind(entries, 'approval_requested').map(({ predicate }) => [predicate.approval, predicate]));
  const votes = [...ofKind(entries, 'approval_voted').filter(({ predicate }) => predicate.verdict === 'approve'), ...ofKind(entries, 'standing_approval_used')];
  for (const { index, predicate } of ofKind(entries, 'approval_resolved')) {
    if (predicate.state !== 'approved') continue;
    const digest = requests.get(predicate.approval)?.held_digest;
    const held = parseHeldAction(digest && contents.get(digest));
    if (!held.ok || !held.value.approvers.all_groups) continue;
    const counted = votes.filter((vote) => vote.index < index && vote.predicate.approval === predicate.approval && predicate.votes.includes(vote.predicate.receipt));
    const taking = new Set(counted.flatMap((vote) => {
      const roster = inForceAt(rosters, vote.index)?.roster;
      return (roster && personById(roster, vote.predicate.person)?.groups) ?? [];
    }));
    const missing = held.value.approvers.groups.find((group) => !taking.has(group));
    if (missing !== undefined) return { index, detail: `All groups had to approve, and nobody of ${missing} did.` };
  }
  return undefined;
}
