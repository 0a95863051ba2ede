import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import { loadSuite, shippedSuite, type Suite } from '@/lib/cli/conformance/load-suite';
import type * as playCaseModule from '@/lib/cli/conformance/play-case';
import type * as referenceModule from '@/lib/cli/conformance/reference/reference-adapter';

import { mutants } from './mutants';
import type { Mutant } from './mutants-of-modules';

const loaded = await loadSuite(shippedSuite());
if (!loaded.ok) throw new Error(loaded.error.detail);
const suite: Suite = loaded.value;

const broken = { now: null as { readonly mutant: Mutant; readonly as: Map<unknown, unknown> } | null };
let play: (typeof playCaseModule)['playCase'];
let system: (typeof referenceModule)['referenceAdapter'];

/** The function as it is, or as the mutant of now has it: found at each call, so that nothing has to be loaded again. */
function breakable(where: string, name: string, original: unknown): unknown {
  if (typeof original !== 'function' || !mutants.some((one) => one.module === where && one.name === name)) return original;
  return (...args: unknown[]): unknown => {
    const { now } = broken;
    const used: unknown = now?.mutant.module === where && now.mutant.name === name ? brokenOnce(now, original) : original;
    return Reflect.apply(used as (...args: unknown[]) => unknown, undefined, args);
  };
}

function brokenOnce({ mutant, as }: NonNullable<typeof broken.now>, original: unknown): unknown {
  if (!as.has(original)) as.set(original, mutant.broken(original as never));
  return as.get(original);
}

beforeAll(async () => {
  vi.resetModules();
  for (const where of new Set(mutants.map((one) => one.module))) {
    vi.doMock(`@/lib/${where}`, async (importOriginal) => {
      const exported = await importOriginal<Record<string, unknown>>();
      return Object.fromEntries(Object.entries(exported).map(([name, value]) => [name, breakable(where, name, value)]));
    });
  }
  play = (await import('@/lib/cli/conformance/play-case')).playCase;
  system = (await import('@/lib/cli/conformance/reference/reference-adapter')).referenceAdapter;
});

afterEach(() => {
  broken.now = null;
});

const byId = new Map(mutants.map((one) => [one.id, one]));

describe('the conformance cases are worth their name', () => {
  test('the broken engines are those that cases name, each once', () => {
    expect(mutants.map(({ id }) => id).sort()).toEqual([...new Set(suite.cases.flatMap((one) => one.breaks_on))].sort());
  });

  test('the engine as it is passes every case', async () => {
    const results = [];
    for (const one of suite.cases) results.push(await play(one, suite, system()));
    expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  }, 60_000);

  test.each(suite.cases.flatMap((one) => one.breaks_on.map((id) => [one.id, id, one] as const)))('%s fails on %s', async (_case, id, one) => {
    const mutant = byId.get(id);
    if (!mutant) throw new Error(`There is no broken engine ${id}.`);
    broken.now = { mutant, as: new Map() };
    const { outcome, because } = await play(one, suite, system());
    expect(outcome).toBe('failed');
    // By coming to something else than wanted, not by falling over.
    expect(because[0]).toMatch(/^step \d+ /);
  }, 20_000);
});
