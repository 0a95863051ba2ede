import { expect } from 'vitest';

import type { Snapshot } from '@/lib/context/snapshot';
import { decide } from '@/lib/engine/decide';
import type { Decision } from '@/lib/engine/decision';
import { strictness } from '@/lib/engine/outcome';
import type { CanonicalAction } from '@/lib/mediate/action';
import type { Json } from '@/lib/shared/json';

import { noon } from './engine-fixtures';
import { policyIn, type World } from './engine-worlds';

const decideIn = (world: World): Decision => decide(world.action, world.snapshot, policyIn(world), world.now);

/**
 * `after` is at least as strict as `before`. A DEFER that only waits for what is not known is no strictness of its own: it stands
 * for what may come out, so there the two are compared once everything is known, for each way it may turn out.
 */
export function expectNoLooser(before: World, after: World): void {
  const [first, then] = [decideIn(before), decideIn(after)];
  if (rank(then) >= rank(first)) return;
  expect(isUncertain(first) || isUncertain(then)).toBe(true);
  for (const fill of waysToKnow(before.action)) {
    const [known, knownThen] = [decideIn(fill(before)), decideIn(fill(after))];
    if (!isUncertain(known) && !isUncertain(knownThen)) expect(rank(knownThen)).toBeGreaterThanOrEqual(rank(known));
  }
}

/** A conflict that people settle is a question to people, like a STEP_UP. */
const rank = ({ decision, deferral }: Decision): number => strictness(deferral?.escalate ? 'STEP_UP' : decision);

/** Facts are missing: for rules, or for signals. */
const isUncertain = ({ decision, unknown, deferral }: Decision): boolean => decision === 'DEFER' && (unknown.length > 0 || (deferral?.missing.some(({ suppliers }) => suppliers.length > 0) ?? false));

/** Every attribute of everything that the action names, with one value; null: settled as unavailable. */
export function saidAbout({ facts, tool }: CanonicalAction, value: Json, names: readonly string[] = ['owner', 'criticality', 'directory', 'effect.count']): Snapshot['attributes'] {
  const things = [...(facts.target === undefined ? [] : [facts.target]), ...facts.tables.map((table) => `${tool}:${table}`), ...facts.paths.map((path) => `files:${path}`), ...facts.recipients.map((address) => `recipient:${address}`), 'action:act_1'];
  return things.flatMap((subject) => names.map((name) => ({ subject, name, value, unavailable: value === null, source: name === 'effect.count' ? 'pep:gate' : 'ip:records', observed_at: noon })));
}

function waysToKnow(action: CanonicalAction): readonly ((open: World) => World)[] {
  const ways: ((open: World) => World)[] = [];
  for (const owner of ['ada@corp.example', 'eve@corp.example']) {
    for (const [criticality, directory, count] of [['high', 'staff', 5], ['low', 'none', 5000]] as const) {
      const attributes = [...saidAbout(action, owner, ['owner']), ...saidAbout(action, criticality, ['criticality']), ...saidAbout(action, directory, ['directory']), ...saidAbout(action, count, ['effect.count'])];
      for (const affirmed of [[], ['delete'], ['send']]) {
        ways.push(({ snapshot, ...open }) => ({
          ...open, now: noon, settings: { ...open.settings, internal: true },
          snapshot: { ...snapshot, attributes, intent: { affirmed, doubtful: [] }, signals: snapshot.signals.map((signal) => ({ ...signal, score: signal.score ?? 500 })), prior: { ...snapshot.prior, total: snapshot.prior.recent.length } },
        }));
      }
    }
  }
  return ways;
}
