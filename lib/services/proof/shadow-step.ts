import type { CompilePolicy } from '@/lib/services/in-force';
import type { ChangedDecision, ReplayReport } from '@/lib/policy/replay-report';
import { ok, type Result } from '@/lib/shared/result';

import type { PolicyText } from './proof-work';
import { replayLog, type ReplayLog, type ReplayRange } from './replay-log';

/** Receipts that came since a shadow last looked. */
export type ShadowWork = { readonly base: PolicyText; readonly next: PolicyText; readonly range: ReplayRange };

export type ShadowStep = Pick<ReplayReport, 'receipts' | 'decisions' | 'replayed' | 'changed' | 'transitions' | 'newly_allowed' | 'newly_stopped' | 'not_replayed'> & { readonly listed: readonly ChangedDecision[] };

/**
 * What the proposal would have decided about what was decided since: the recorded snapshots once more, never the action itself. Nothing of it has
 * an effect, and nothing that decides waits for it. Failures: as replaying, or a text that does not compile.
 */
export async function shadowStep(parts: ReplayLog, compile: CompilePolicy, { base, next, range }: ShadowWork): Promise<Result<ShadowStep>> {
  const live = compile(base.text, base.format);
  if (!live.ok) return live;
  const proposed = compile(next.text, next.format);
  if (!proposed.ok) return proposed;
  const report = await replayLog(parts, range, { base: live.value, proposed: proposed.value });
  return report.ok ? ok(report.value) : report;
}
