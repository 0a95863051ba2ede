import type { ApprovalDemand, DeferralDemand, Obligation, RuleTrace } from '@/lib/engine/decision';
import { parseOwnJson } from '@/lib/shared/parse-own-json';

/** What of a stored decision is read again. */
export type StoredDecision = {
  readonly determining: readonly RuleTrace[];
  readonly obligations: readonly Obligation[];
  readonly approval: ApprovalDemand | undefined;
  readonly deferral: DeferralDemand | undefined;
};

/** Whom a decision puts an action before: a STEP_UP, a conflict of rules, or a deferral whose time is over. */
export const demandOnPeople = ({ approval, deferral }: Partial<Pick<StoredDecision, 'approval' | 'deferral'>>): ApprovalDemand | undefined =>
  approval ?? deferral?.escalate ?? deferral?.at_timeout;

/** From the canonical JSON that was stored with the action. Throws when it is not what was written: then nothing may run. */
export function parseStoredDecision(body: string): StoredDecision {
  const value: unknown = parseOwnJson(body);
  if (!isStoredDecision(value)) throw new Error('A stored decision does not have the shape of a decision.');
  return value;
}

/** Its parts are as the engine made them; the shape tells a decision from a row that holds none. */
const isStoredDecision = (value: unknown): value is StoredDecision =>
  typeof value === 'object' && value !== null && 'determining' in value && Array.isArray(value.determining) && 'obligations' in value && Array.isArray(value.obligations);
