import type { Snapshot } from '@/lib/context/snapshot';
import type { CompiledPolicy } from '@/lib/engine/policy';
import type { Situation } from '@/lib/engine/situation';
import type { CanonicalAction } from '@/lib/mediate/action';
import type { CatalogueEntry, ParameterSpec } from '@/lib/mediate/catalogue';
import { mediate } from '@/lib/mediate/mediate';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { Json, JsonObject } from '@/lib/shared/json';

import type { Option } from './context-options';
import { newDraft, snapshotOf, type Draft } from './draft';

/** An action in a situation as far as it was chosen, the rest as usual, under both policies. Null: that side's mediator refuses it. */
export type Scene = {
  readonly draft: Draft;
  readonly proposed: JsonObject;
  readonly snapshot: Snapshot;
  readonly now: string;
  readonly base: Situation | null;
  readonly next: Situation | null;
};

export type SceneMaker = (chosen: Iterable<Option>) => Scene;

/** Mediating costs more than deciding, so that each set of arguments is mediated once. */
export function sceneMaker(key: { readonly tool: string; readonly operation: string }, base: CompiledPolicy | null, next: CompiledPolicy, entry: CatalogueEntry): SceneMaker {
  const known = new Map<string, readonly [CanonicalAction | null, CanonicalAction | null]>();
  const mediated = (parameters: JsonObject): readonly [CanonicalAction | null, CanonicalAction | null] => {
    const text = canonicalJson(parameters);
    const found = known.get(text);
    if (found) return found;
    const under = (policy: CompiledPolicy | null): CanonicalAction | null => {
      if (!policy) return null;
      const action = mediate({ ...key, parameters }, policy.catalogue);
      return action.ok && `${action.value.tool}.${action.value.operation}` === `${key.tool}.${key.operation}` ? action.value : null;
    };
    const pair = [under(base), under(next)] as const;
    known.set(text, pair);
    return pair;
  };
  const usual = usualParameters(entry);
  return (chosen) => {
    const draft = newDraft({ ...usual });
    for (const { put } of chosen) put(draft);
    const [before, after] = mediated(draft.parameters);
    const snapshot = snapshotOf(draft, after ?? before, next.digest);
    const { nowMs } = draft;
    return {
      draft, proposed: draft.parameters, snapshot, now: new Date(nowMs).toISOString(),
      base: base && before ? { action: before, snapshot, policy: base, nowMs } : null,
      next: after ? { action: after, snapshot, policy: next, nowMs } : null,
    };
  };
}

/** What has to be given, given so that no rule means it. */
function usualParameters({ parameters }: CatalogueEntry): Record<string, Json> {
  const usual: Record<string, Json> = {};
  for (const [name, spec] of Object.entries(parameters)) if (spec.optional !== true) usual[name] = usualValue(spec);
  return usual;
}

function usualValue({ type, role, items }: ParameterSpec): Json {
  const one = role === undefined || role === 'target' ? plainValue(items ?? type) : usualOfRole[role];
  return type === 'array' ? [one] : one;
}

const usualOfRole = {
  recipients: 'somebody@elsewhere.test', path: '/zz/a', url: 'https://elsewhere.test/zz', command: 'zzprogram', query: 'SELECT id FROM zz_table', amount: 1,
} as const;

function plainValue(type: ParameterSpec['type']): Json {
  if (type === 'number' || type === 'integer') return 1;
  if (type === 'boolean') return false;
  return type === 'object' ? {} : '~';
}
