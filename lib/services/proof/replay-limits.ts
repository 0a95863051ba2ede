import type { CompiledPolicy } from '@/lib/engine/policy';
import type { ReplayReport } from '@/lib/policy/replay-report';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';

/** What a replay could not see, in sentences: snapshots hold what the policies of their time let into them. */
export function replayLimits(base: CompiledPolicy | null, next: CompiledPolicy, { not_replayed, left_out, decisions }: ReplayReport): readonly string[] {
  const said: string[] = [];
  if (left_out > 0) said.push(`The replay stopped at its bound: ${String(left_out)} older receipts of the period were not looked at.`);
  for (const { why, count } of not_replayed) said.push(`${String(count)} of ${String(decisions)} decisions were not taken again: ${notReplayedWords[why]}.`);
  if (base === null) return said;
  const differs = (part: (policy: CompiledPolicy) => unknown): boolean => canonicalJson(asJson([part(base)])) !== canonicalJson(asJson([part(next)]));
  if (differs(({ information }) => [...information])) said.push('The proposal takes facts from other sources or for another time. The replay has only those facts that were taken then.');
  if (differs(({ catalogue }) => [...catalogue.entries].map(([name, { labels }]) => [name, labels]))) said.push('The proposal labels outputs otherwise. The replay has the labels that sessions got then.');
  if (differs(({ internalDomains }) => internalDomains)) said.push('The proposal counts other domains as the organisation’s own. Signals in the replay were measured with the old ones.');
  return said;
}

export const notReplayedWords: { readonly [Why in ReplayReport['not_replayed'][number]['why']]: string } = {
  not_asked: 'the engine had not been asked (a switch, a bound, or no policy in force)',
  erased: 'what they rested on was erased',
  altered: 'what they rested on is not what was stored',
  other_version: 'another engine version made them, whose snapshots this one does not read',
  not_recorded: 'the proposal reads earlier actions one by one, which was not recorded then',
  unreadable: 'their receipts or actions cannot be read',
};
