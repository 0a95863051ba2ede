import type { Snapshot } from '@/lib/context/snapshot';
import type { Impact } from '@/lib/mediate/catalogue';
import { assertNever } from '@/lib/shared/assert-never';
import type { Json, JsonObject } from '@/lib/shared/json';

import type { Change, Decision, DeferralDemand, Obligation, RuleTrace } from './decision';
import { demandOf, joinDemands } from './demand';
import { engineVersion } from './engine-version';
import { missingOf } from './judge-rule';
import type { Predicate } from './predicate';
import { fieldName, readField } from './read-field';
import type { Reading } from './reading';
import type { Rule } from './rule';
import type { Settled } from './settled';
import type { Situation } from './situation';
import { missingWithSuppliers } from './suppliers-of';

/** What steps 0 to 8 came to, before it is written down. */
export type Verdict = {
  readonly settled: Settled;
  /** The situation that was decided last: about a′ when there is one. */
  readonly situation: Situation;
  readonly transformed: { readonly parameters: JsonObject; readonly changes: readonly Change[] } | null;
  /** Rules of earlier rounds that changed the action. */
  readonly earlier: readonly Rule[];
  /** The snapshot of the action as proposed; its signals are the ones that are recorded. */
  readonly snapshot: Snapshot;
};

/** The decision with its reasons: which rules decided and what they read, what was unknown and why. */
export function explain({ settled, situation, transformed, earlier, snapshot }: Verdict): Decision {
  const { outcome, judged, measure } = settled;
  const { action, policy } = situation;
  const deciding = uniqueById([...outcome.rules, ...earlier]);
  // A conflict that people settle is theirs to approve, and then exactly a′ runs, as with a STEP_UP.
  const asksPeople = outcome.kind === 'STEP_UP' || (outcome.kind === 'DEFER' && outcome.conflict.length > 0);
  const guidance = deciding.find((rule) => rule.guidance !== null)?.guidance ?? guidanceFor(outcome.code);
  const decision: Decision = {
    decision: outcome.kind,
    code: outcome.code,
    reason: outcome.reason,
    classification: deciding[0]?.classification ?? (outcome.code === 'forbidden_action' ? 'forbidden' : 'static'),
    impact: action.facts.impact,
    obligations: outcome.kind === 'ALLOW' || outcome.kind === 'MODIFY' || asksPeople ? obligationsOf(outcome.obliging) : [],
    grants: action.entry.grant && outcome.kind !== 'DENY' ? [...snapshot.grants].sort().slice(0, 1) : [],
    determining: deciding.map((rule) => traceOf(rule, situation)),
    considered: judged.filter(({ rule }) => !deciding.some((other) => other.id === rule.id)).map(({ rule, truth }) => ({ id: rule.id, outcome: truth })),
    unknown: judged
      .filter(({ truth }) => truth === 'unknown')
      .map(({ rule }) => ({ id: rule.id, missing: [...new Set(missingOf(rule, situation).map((missing) => missing.field))].sort() })),
    baseline: settled.baseline,
    signals: snapshot.signals,
    evaluability: measure.evaluability,
    alignment: measure.alignment,
    policy: { id: policy.id, digest: policy.digest },
    tables: policy.tables,
    engine_version: engineVersion,
  };
  // Most decisions need none of these, and an object that others are spread over is slow to make.
  if (guidance === null && transformed === null && (outcome.kind === 'ALLOW' || outcome.kind === 'DENY')) return decision;
  return {
    ...decision,
    ...(guidance === null ? {} : { guidance }),
    ...(transformed && (outcome.kind === 'MODIFY' || asksPeople) ? { transformed } : {}),
    ...(outcome.kind === 'STEP_UP' && outcome.demand ? { approval: outcome.demand } : {}),
    ...(outcome.kind === 'DEFER' ? { deferral: deferralOf(settled, situation) } : {}),
  };
}

function deferralOf({ outcome, missing }: Settled, { policy, action }: Situation): DeferralDemand {
  const waits = outcome.rules.map((rule) => rule.defer_s).filter((seconds) => seconds !== null);
  return {
    missing: missingWithSuppliers(missing, policy),
    timeout_s: waits.length > 0 ? Math.min(...waits) : policy.deferrals.timeout_s,
    conflict: [...new Set(outcome.conflict.map((rule) => rule.id))].sort(),
    ...(outcome.conflict.length > 0 && outcome.demand ? { escalate: outcome.demand } : {}),
    ...atTimeout(outcome, policy, action.facts.impact),
  };
}

/** People are asked when the time is over only where every rule that defers names whom; then all of them are asked together. */
function atTimeout({ rules, conflict, undecided }: Settled['outcome'], policy: Situation['policy'], impact: Impact): Pick<DeferralDemand, 'at_timeout'> {
  if (conflict.length > 0 || undecided.length > 0 || rules.some(({ action, approval }) => action !== 'DEFER' || approval.approvers === null)) return {};
  const demand = joinDemands(rules.map(({ approval }) => demandOf(approval, policy, impact)));
  return demand ? { at_timeout: demand } : {};
}

function obligationsOf(rules: readonly Rule[]): readonly Obligation[] {
  if (rules.every((rule) => rule.obligations.length === 0)) return [];
  const found = new Map<string, Obligation>();
  for (const rule of rules) for (const obligation of rule.obligations) found.set(JSON.stringify(obligation), obligation);
  return [...found.keys()].sort().flatMap((key) => found.get(key) ?? []);
}

function traceOf(rule: Rule, situation: Situation): RuleTrace {
  const read = new Map<string, RuleTrace['read'][number]>();
  for (const part of [rule.applies, rule.context]) collectReads(part, situation, read);
  return { id: rule.id, action: rule.action, classification: rule.classification, reason: rule.reason, read: [...read.values()] };
}

function collectReads(predicate: Predicate, situation: Situation, read: Map<string, RuleTrace['read'][number]>): void {
  switch (predicate.is) {
    case 'all':
    case 'any':
      for (const part of predicate.of) collectReads(part, situation, read);
      return;
    case 'not':
      collectReads(predicate.of, situation, read);
      return;
    case 'compare':
      for (const field of [predicate.left, predicate.right]) read.set(fieldName(field), { field: fieldName(field), value: valueRead(readField(situation, field)) });
      return;
    case 'sequence':
      read.set('sequence', { field: 'sequence', value: situation.snapshot.prior.total });
      return;
    case 'test': {
      const field = fieldName(predicate.field);
      read.set(field, { field, value: valueRead(readField(situation, predicate.field)) });
      return;
    }
    default:
      assertNever(predicate);
  }
}

function valueRead(reading: Reading): Json {
  switch (reading.state) {
    case 'known':
      return reading.set ? reading.values : (reading.values[0] ?? null);
    case 'at_least':
      return reading.value;
    case 'absent':
    case 'unavailable':
    case 'unknown':
      return null;
    default:
      return assertNever(reading);
  }
}

function guidanceFor(code: Decision['code']): string | null {
  if (code === 'grant_needed') return 'Propose a grant: POST /v1/proposals with { grant, reason }.';
  if (code === 'opaque_argument') return 'Write the argument plainly, so that every part of it can be read.';
  return null;
}

function uniqueById(rules: readonly Rule[]): readonly Rule[] {
  const found = new Map<string, Rule>();
  for (const rule of rules) if (!found.has(rule.id)) found.set(rule.id, rule);
  return [...found.values()];
}
