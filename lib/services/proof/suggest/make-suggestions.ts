import type { SuggestionsView, SuggestResult } from '@/lib/contracts/console/proofs';
import type { ListedProposal } from '@/lib/ports/proposal-store';
import { addProposal } from '@/lib/services/proposals/add-proposal';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { later } from '@/lib/services/later';
import { fail, ok, type Result } from '@/lib/shared/result';

import { replayRange } from '../replay-range';
import type { Suggestion } from './find-suggestions';

/** Approvals in a row that justify a rule, and how far back they are looked for, in seconds. */
export const leastApprovals = 5;
const lookBack = 30 * 86_400;
/** Each suggestion is replayed over the range, so it is shorter than a proof's. */
const mostReceipts = 100_000;

/** Whether there is enough to look at: requests that people decided in the time that is looked back over. */
export async function suggestionsView(parts: Pick<ConsoleParts, 'log' | 'clock'>): Promise<SuggestionsView> {
  const { count } = await parts.log.count({ kind: 'approval_resolved', from: later(parts.clock.now(), -lookBack) }, 1000);
  return { decided: count, least: leastApprovals, worth_looking: count >= leastApprovals };
}

/**
 * Makes a proposal of each rule that past approvals justify. They are proposals like any other: proved, shown with what they reach beyond, and signed or rejected by
 * owners; the console proposes them, so nobody’s signature is left out. Failures: `policy_unsigned`, `unavailable` (a bound stopped it), `ledger_broken`.
 */
export async function makeSuggestions(parts: ConsoleParts): Promise<Result<SuggestResult>> {
  const { policy, root } = await parts.inForce.refresh();
  if (!policy || !root) return fail('policy_unsigned', 'Nothing is in force that a rule could be added to.');
  const range = await replayRange(parts, root.root, later(parts.clock.now(), -lookBack));
  if (!range) return fail('unavailable', 'No signed checkpoint covers the log yet.', { fix: 'Try again in a minute.' });
  const from = Math.max(range.from, range.to - mostReceipts);
  const found = await parts.suggest({ base: { text: policy.text, format: policy.format, digest: policy.digest }, range: { ...range, from }, least: leastApprovals });
  if (!found.ok) return found;
  const made: SuggestResult['made'][number][] = [];
  for (const one of found.value) {
    const id = parts.ids.make('proposal');
    const added = await addProposal(parts, {
      id, target: 'policy', origin: 'suggestion', text: one.text, format: one.format, base: { revision: policy.revision, digest: policy.digest }, reason: reasonOf(one),
      by: { kind: 'service', id: 'console' }, notCounted: [], isAlike: (waiting) => suggests(waiting, one),
    });
    if (added.ok) made.push({ proposal: id, tool: one.tool, operation: one.operation, saved: one.saved });
    // What is proposed already waits there; anything else stops it.
    else if (added.error.code !== 'conflict') return added;
  }
  return ok({ made, found: found.value.length });
}

/**
 * Whether what waits is a suggestion for the same tool, operation and agent, rebased or not: approvals that came since change how often it would have saved people, or
 * which values it names, and owners are not to read nearly the same twice. Its words are the console's own, and it takes them along when it rebases.
 */
const suggests = ({ maker_kind, maker_id, reason }: ListedProposal, { family }: Suggestion): boolean =>
  maker_kind === 'service' && maker_id === 'console' && reason?.startsWith(opening(family)) === true;

const opening = (rule: string): string => `The rule ${rule}`;

/** What was looked at, and what the rule reaches that nobody was asked about. */
const reasonOf = ({ tool, operation, saved, reach, rule }: Suggestion): string =>
  `${opening(rule)} would have let ${tool}.${operation} run the last ${String(saved)} times that people approved it one after another. It lets through nothing that a person or the policy denied in the log that was looked at. Beyond those it reaches: ${reach.join('; ')}.`.slice(0, 4000);
