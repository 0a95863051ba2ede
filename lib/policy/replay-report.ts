import { z } from 'zod';

import { decisionKinds } from '@/lib/mediate/catalogue';
import { countField, digestField, idField } from '@/lib/shared/document-fields';

/**
 * Why a decision could not be taken again. `not_asked`: the engine had not been asked (no policy, a bound); `erased` and `altered`: what it rested on;
 * `other_version`: an engine whose snapshots this one does not read; `not_recorded`: the proposal reads earlier actions one by one,
 * which the snapshot does not hold, as no rule read them then; `unreadable`: the receipt or the stored action.
 */
export const notReplayedReasons = ['not_asked', 'erased', 'altered', 'other_version', 'not_recorded', 'unreadable'] as const;
export type NotReplayedReason = (typeof notReplayedReasons)[number];

const kind = z.enum(decisionKinds);

/** What became of a request to people. Kept apart: the transition is what the engine alone says. */
const people = z.enum(['approved', 'denied', 'other']).nullable();

/** A decision that comes out otherwise. It names no argument: contents can be erased, and this is kept for ever. */
export const changedDecisionSchema = z.strictObject({
  receipt: idField('receipt'),
  index: countField(0),
  at: z.string(),
  agent: z.string(),
  tool: z.string(),
  operation: z.string(),
  /** What the policy in force decides, what the proposal would, and what was recorded then. */
  now: kind,
  then: kind,
  recorded: kind,
  people,
  /** Rules of the proposal that decide; at most ten. */
  rules: z.array(z.string()).max(10).readonly(),
}).readonly();
export type ChangedDecision = z.infer<typeof changedDecisionSchema>;

/** Decisions of a part of the log, taken again. */
export const replayReportSchema = z.strictObject({
  /** Positions of the log, `to` excluded, and the time that the first was asked for by. */
  range: z.strictObject({ from: countField(0), to: countField(0), since: z.string(), root: digestField }).readonly(),
  receipts: countField(0),
  decisions: countField(0),
  replayed: countField(0),
  /** Of these, decided by another revision or engine version then, or by a service: `now` was decided again too. */
  redone: countField(0),
  /** How many went from what the policy in force decides to what the proposal would; only those that there are. */
  transitions: z.array(z.strictObject({ now: kind, then: kind, count: countField(1) }).readonly()).max(25).readonly(),
  /** The same decision on other terms: other values, other people, other obligations. */
  other_terms: countField(0),
  newly_allowed: countField(0),
  newly_stopped: countField(0),
  /** Held actions that would run unattended, by what people had said of them. */
  unattended: z.strictObject({ approved: countField(0), denied: countField(0), other: countField(0) }).readonly(),
  /** Those that change, gravest first; `changed` counts those that are left out too. */
  changed: countField(0),
  listed: z.array(changedDecisionSchema).max(2000).readonly(),
  not_replayed: z.array(z.strictObject({ why: z.enum(notReplayedReasons), count: countField(1), receipts: z.array(idField('receipt')).max(3).readonly() }).readonly()).max(notReplayedReasons.length).readonly(),
  /** Left out at the older end, when a bound stopped it. */
  left_out: countField(0),
}).readonly();
export type ReplayReport = z.infer<typeof replayReportSchema>;
