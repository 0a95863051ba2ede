import { provenances, type Provenance } from '@/lib/context/entry';
import type { CanonicalAction } from '@/lib/mediate/action';
import { checkParameters } from '@/lib/mediate/check-parameters';
import { deriveFacts } from '@/lib/mediate/facts';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';

import { applyChange, Misfit } from './apply-change';
import type { Change } from './decision';
import type { ModifyStep } from './outcome';
import { isAtOrUnder, readProvenance } from './read-provenance';
import type { Situation } from './situation';

export type Transformed = { readonly situation: Situation; readonly changes: readonly Change[] };

/**
 * One round of step 8: the action after the changes, its facts derived anew, the changed leaves' provenance `policy`. Null: the
 * changes change nothing. A misfit says which change cannot be made, or that the result no longer fits the tool's schema.
 */
export function transformAction(situation: Situation, steps: readonly ModifyStep[]): Transformed | Misfit | null {
  const { action, policy } = situation;
  let parameters: JsonObject = action.parameters;
  const changes: Change[] = [];
  for (const { by, change } of steps) {
    const after = applyChange(parameters, change, policy.internalDomains);
    if (after instanceof Misfit) return after;
    if (after === parameters) continue;
    changes.push({ rule: by, path: change.path.join('.'), from: valueAt(parameters, change.path), to: valueAt(after, change.path) });
    parameters = after;
  }
  if (changes.length === 0) return null;
  const [issue] = checkParameters(action.entry, parameters);
  if (issue) return new Misfit(`${issue.path}: ${issue.message}`);
  const next: CanonicalAction = { ...action, parameters, facts: deriveFacts(action.entry, parameters) };
  return { situation: { ...situation, action: next, snapshot: withNewProvenance(situation, steps, parameters) }, changes };
}

/** The steps that would change the action, or cannot be made. A MODIFY of which none is left counts as ALLOW. */
export const effectiveSteps = (steps: readonly ModifyStep[], { action, policy }: Situation): readonly ModifyStep[] =>
  steps.filter(({ change }) => applyChange(action.parameters, change, policy.internalDomains) !== action.parameters);

/**
 * Where the changed leaves come from now. What policy writes is `policy`; what it only narrows or redacts keeps the least
 * trusted place of the old value, or a redaction would launder what an untrusted page dictated.
 */
function withNewProvenance({ action, snapshot }: Situation, steps: readonly ModifyStep[], parameters: JsonObject): Situation['snapshot'] {
  let leaves = snapshot.provenance;
  for (const { change } of steps) {
    const path = change.path.join('.');
    const [before, after] = [valueAt(action.parameters, change.path), valueAt(parameters, change.path)];
    if (change.form === 'redact' || canonicalJson(before) === canonicalJson(after)) continue;
    const written = change.form === 'set' || change.form === 'cap' || before === null;
    const source = written ? 'policy' : leastTrusted({ action, snapshot }, path);
    leaves = leaves.filter((leaf) => !isAtOrUnder(leaf.path, path));
    if (after !== null) leaves = [...leaves, { path, source }];
  }
  return leaves === snapshot.provenance ? snapshot : { ...snapshot, provenance: leaves };
}

function leastTrusted(situation: Pick<Situation, 'action' | 'snapshot'>, path: string): Provenance {
  const reading = readProvenance(situation, path);
  const found = reading.state === 'known' ? reading.values : [];
  return provenances.findLast((source) => found.includes(source)) ?? 'nowhere';
}

/** The value at the path, indexes of lists included; null when there is none. */
function valueAt(value: Json, path: readonly string[]): Json {
  let found: Json = value;
  for (const name of path) {
    if (isJsonArray(found)) found = found[Number(name)] ?? null;
    else if (isJsonObject(found) && Object.hasOwn(found, name)) found = found[name] ?? null;
    else return null;
  }
  return found;
}
