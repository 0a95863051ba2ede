import { z } from 'zod';

import { distanceByVectors } from '@/lib/context/semantic-distance';
import type { Snapshot } from '@/lib/context/snapshot';
import { decide } from '@/lib/engine/decide';
import type { Decision } from '@/lib/engine/decision';
import { engineVersion } from '@/lib/engine/engine-version';
import type { CompiledPolicy } from '@/lib/engine/policy';
import { isSeal } from '@/lib/ledger/content';
import { jsonField } from '@/lib/ledger/json-field';
import type { CanonicalAction } from '@/lib/mediate/action';
import type { Catalogue } from '@/lib/mediate/catalogue';
import { deriveFacts } from '@/lib/mediate/facts';
import { mediate } from '@/lib/mediate/mediate';
import { coversAction } from '@/lib/policy/grant-scope';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { Sha256 } from '@/lib/shared/encoding';
import type { ErrorCode } from '@/lib/shared/error-codes';
import type { Json, JsonObject } from '@/lib/shared/json';

import { textCompiler } from './compile-text';
import { differenceOfLicence } from './licence';
import { parseSnapshot } from './parse-snapshot';
import type { Rederive, RederiveInput, RederiveResult } from './rederive';
import type { CannotRederive } from './report';
import { differenceOfSnapshot } from './snapshot-fits';

/** The engine that ships, as a verifier asks it. `catalogue` is the stock one that policies name. Policies are compiled once each. */
export function rederiveWith(sha256: Sha256, catalogue: Catalogue): Rederive {
  const compile = textCompiler(sha256, catalogue);
  return (input) => {
    const policy = compile(input.policyText);
    if (!policy) return cannot('The policy does not compile with this version.');
    return rederiveOne(input, policy, sha256);
  };
}

function rederiveOne(input: RederiveInput, policy: CompiledPolicy, sha256: Sha256): RederiveResult {
  const { decided, action, snapshot, transformed } = input;
  const proposed = proposedAction.safeParse(action);
  if (!proposed.success) return unreadable(decided, 'The stored action is not one.');
  const mediated = mediate(proposed.data, policy.catalogue);
  if (!mediated.ok) return unreadable(decided, `The stored action is not one of the policy’s catalogue: ${mediated.error.detail}`);
  const evidence = parseSnapshot(snapshot);
  if (!evidence) return decided.engine_version === engineVersion ? unreadable(decided, 'The stored snapshot cannot be read.') : cannotBecause('other_version', `Another engine version: the stored snapshot is one of ${decided.engine_version}; this is ${engineVersion}.`);
  const unlike = input.beside && differenceOfSnapshot(evidence, { ...input.beside, decided }, sha256);
  if (unlike !== undefined) return { state: 'differs', detail: unlike };
  if (!followsFromVectors(evidence)) return { state: 'differs', detail: 'The semantic distance is not the one that its vectors give.' };
  const again = decide(mediated.value, evidence, policy, decided.at);
  const difference = firstDifference(decided, again) ?? differenceOfTransformed(decided, again, transformed) ?? differenceOfLicence(input, again, policy) ?? differenceOfGrants(input, mediated.value, again, policy);
  if (difference === undefined) return { state: 'reproduced', detail: '' };
  // Another engine, or the same one over other tables, may rightly decide otherwise; only the same over the same must not.
  if (decided.engine_version !== engineVersion) return cannotBecause('other_version', `Another engine version: it was decided by ${decided.engine_version}; this is ${engineVersion}. ${difference}`);
  const table = decided.tables.find((was) => !again.tables.some((is) => is.name === was.name && is.version === was.version && is.digest === was.digest));
  if (table) return cannotBecause('other_version', `Another table: it was decided with ${table.name} ${String(table.version)}, which this version does not have. ${difference}`);
  return { state: 'differs', detail: difference };
}

/** Nobody has to ask the endpoint again: what it gave is in the snapshot, and the signal follows from it. */
function followsFromVectors({ embedding, signals }: Snapshot): boolean {
  if (!embedding) return true;
  const { name, ...measured } = distanceByVectors(embedding);
  const stated = signals.filter((signal) => signal.name === name);
  return stated.length === 1 && stated.every(({ score, weight }) => score === measured.score && weight === measured.weight);
}

type Decided = RederiveInput['decided'];

/** Denials that a service adds to what the engine says: they only tighten, and rest on what no snapshot holds. */
export const addedDenials: readonly ErrorCode[] = ['no_approver', 'too_many_held', 'deferral_too_deep', 'repeated_after_denial', 'pipeline_stopped'];

function firstDifference(recorded: Decided, again: Decision): string | undefined {
  const added = recorded.decision === 'DENY' && addedDenials.includes(recorded.code);
  const pairs: readonly (readonly [string, Json, Json])[] = [
    ...(added ? [] : ([['decision', recorded.decision, again.decision], ['code', recorded.code, again.code]] as const)),
    ['classification', recorded.classification ?? null, again.classification],
    ['impact', recorded.impact, again.impact],
    ['determining rules', recorded.determining.map(({ id }) => id), again.determining.map(({ id }) => id)],
    ['unknown rules', asJson(recorded.unknown), again.unknown.map(({ id, missing }) => ({ id, missing }))],
    ['signals', recorded.signals.map(scoreOf), again.signals.map(scoreOf)],
    ['evaluability', recorded.evaluability, again.evaluability],
    ['alignment', recorded.alignment, again.alignment],
    ['tables', asJson(recorded.tables), asJson(again.tables)],
  ];
  for (const [what, was, is] of pairs) {
    const [before, now] = [canonicalJson(was), canonicalJson(is)];
    if (before !== now) return `The ${what} was ${before} and is now ${now}.`;
  }
  return differenceOfReadings(recorded, again);
}

/** The values that rules read. A sealed one stands for a value that the receipt must not hold: it cannot be compared here. */
function differenceOfReadings(recorded: Decided, again: Decision): string | undefined {
  for (const [at, { id, read }] of recorded.determining.entries()) {
    const now = again.determining[at]?.read ?? [];
    const same = read.length === now.length && read.every(({ field, value }, n) => field === now[n]?.field && (isSeal(value) || canonicalJson(value) === canonicalJson(now[n].value)));
    if (!same) return `Rule ${id} read other values.`;
  }
  return undefined;
}

function differenceOfTransformed(recorded: Decided, again: Decision, transformed: Json | undefined): string | undefined {
  const now = again.decision === 'DENY' ? undefined : again.transformed?.parameters;
  if (recorded.decision === 'DENY') return undefined;
  if ((recorded.transformed_digest === undefined) !== (now === undefined)) return 'The action was transformed in one of the two only.';
  const before = proposedAction.safeParse(transformed);
  if (now === undefined || !before.success) return undefined;
  return canonicalJson(before.data.parameters) === canonicalJson(now) ? undefined : 'The action was transformed into another one.';
}

/** What would run keeps to the scope of every grant that its permit names: a when the policy changed nothing, else a′. */
function differenceOfGrants({ grants = [] }: RederiveInput, action: CanonicalAction, { transformed }: Decision, policy: CompiledPolicy): string | undefined {
  const parameters = transformed?.parameters ?? action.parameters;
  const effective = { ...action, parameters, facts: deriveFacts(action.entry, parameters) };
  return grants.every((grant) => coversAction(grant, effective, policy)) ? undefined : 'The grant that the permit names does not give this tool with these arguments.';
}

const scoreOf = ({ name, score, weight }: { readonly name: string; readonly score: number | null; readonly weight: number }) => ({ name, score, weight });

const cannotBecause = (why: CannotRederive, detail: string): RederiveResult => ({ state: 'cannot', detail, why });
const cannot = (detail: string): RederiveResult => cannotBecause('unreadable', detail);

/** This engine could never have let through what it cannot read. */
const unreadable = (decided: Decided, detail: string): RederiveResult =>
  decided.engine_version === engineVersion && decided.decision !== 'DENY' ? { state: 'differs', detail } : cannot(detail);

const jsonObject = z.custom<JsonObject>((value) => typeof value === 'object' && value !== null && !Array.isArray(value) && jsonField.safeParse(value).success);

const proposedAction = z.strictObject({ tool: z.string(), operation: z.string(), parameters: jsonObject });
