import { takeSnapshot } from '@/lib/context/take-snapshot';
import { decide } from '@/lib/engine/decide';
import type { CompiledPolicy } from '@/lib/engine/policy';
import { inspectAction } from '@/lib/guards/inspect-action';
import { mediate } from '@/lib/mediate/mediate';

import { benchNow, engineCases, type EngineCase } from './engine-cases';
import { casbinPeer } from './engine-casbin';
import { cedarPeer } from './engine-cedar';
import { median, rounded, usEach } from './engine-clock';
import { benchLoad, loadPolicy, type LoadFigures } from './engine-load';
import type { EnginePeer } from './engine-peer';
import { enginePolicy, rulesPerDepartment } from './engine-policy';
import { benchSessions, type SessionFigures } from './engine-sessions';
import { benchWorst, type WorstFigures } from './engine-worst';

const sizes = [10, 100, 1_000, 10_000] as const;
/** The size at which other engines are measured, and the parts of a decision. */
const compared = 1_000;
const agents = 16;
const batch = 64;
const peerBatch = 16;
/** By then everything has been compiled for good, however slow the machine. */
const warmUpRounds = 300;
const fewestRounds = 200;

export type EngineFigures = {
  /** Microseconds for one decision on a prepared snapshot, by the number of rules. */
  readonly decide_us: Readonly<Record<string, number>>;
  readonly growth_10_to_10000: number;
  /** The other engine's time divided by ours, on an equivalent policy of 1,000 rules. */
  readonly ratio: { readonly cedar: number; readonly casbin: number };
  readonly peers_us: { readonly cedar: number; readonly casbin: number };
  /** Rules whose tool, operation and identity are the action's, of the policy of 1,000. */
  readonly applicable_rules: { readonly mean: number; readonly most: number };
  readonly parts_us: { readonly mediate: number; readonly inspect: number; readonly snapshot: number };
  readonly session: SessionFigures;
  readonly policy_10000: LoadFigures;
  readonly worst: WorstFigures;
};

type Size = { readonly rules: number; readonly policy: CompiledPolicy; readonly cases: readonly EngineCase[]; readonly times: number[] };

/**
 * Deciding, by the size of the policy and beside two public engines. Everything is warmed up and takes turns in short batches of
 * which the middle one counts, so that whatever else the machine does falls on all alike. Throws when a decision is not the wanted one
 * or an engine disagrees: a fast wrong answer is no figure.
 */
export async function benchEngine({ seconds = 10 }: { readonly seconds?: number } = {}): Promise<EngineFigures> {
  const policy_10000 = benchLoad(enginePolicy(10_000));
  const all = sizes.map(sizeOf);
  const base = all.find(({ rules }) => rules === compared);
  if (!base) throw new Error('The compared size is measured.');
  const peers = { cedar: await cedarPeer(compared, base.cases), casbin: await casbinPeer(compared, base.cases) };
  expectAgreement(base, peers);

  const cedar: number[] = [];
  const casbin: number[] = [];
  const start = performance.now();
  let counted = 0;
  for (let round = 0; counted < fewestRounds || performance.now() < start + seconds * 1000; round++) {
    const counts = round >= warmUpRounds;
    if (counts) counted++;
    for (const { policy, cases, times } of all) {
      const us = usEach(turn(cases, round, batch), (one) => decide(one.action, one.snapshot, policy, benchNow));
      if (counts) times.push(us);
    }
    if (round % 10 > 0) continue;
    const those = turn(base.cases, round / 10, peerBatch);
    const us = [usEach(those, peers.cedar.allows), usEach(those, peers.casbin.allows)] as const;
    if (counts) {
      cedar.push(us[0]);
      casbin.push(us[1]);
    }
  }
  const ours = new Map(all.map(({ rules, times }) => [rules, median(times)]));
  const of = (rules: number): number => ours.get(rules) ?? Number.NaN;
  return {
    decide_us: Object.fromEntries(sizes.map((rules) => [String(rules), rounded(of(rules))])),
    growth_10_to_10000: rounded(of(10_000) / of(10)),
    ratio: { cedar: rounded(median(cedar) / of(compared)), casbin: rounded(median(casbin) / of(compared)) },
    peers_us: { cedar: rounded(median(cedar)), casbin: rounded(median(casbin)) },
    applicable_rules: applicable(base),
    parts_us: partsOf(base),
    session: benchSessions(base.policy, base.cases.slice(0, batch)),
    policy_10000,
    worst: benchWorst(),
  };
}

function sizeOf(rules: number): Size {
  const policy = loadPolicy(enginePolicy(rules));
  const cases = engineCases(policy, rules / rulesPerDepartment, agents);
  for (const { kind, wanted, action, snapshot } of cases) {
    const { decision } = decide(action, snapshot, policy, benchNow);
    if (decision !== wanted) throw new Error(`${kind}: wanted ${wanted}, got ${decision}.`);
  }
  return { rules, policy, cases, times: [] };
}

function expectAgreement({ cases }: Size, peers: Readonly<Record<string, EnginePeer>>): void {
  for (const [name, peer] of Object.entries(peers)) {
    for (const one of cases) if (peer.allows(one) !== (one.elsewhere === 'allow')) throw new Error(`${name} disagrees about: ${one.kind}.`);
  }
}

/** The next so many, around and around. */
function turn<T>(items: readonly T[], round: number, count: number): readonly T[] {
  const from = (round * count) % items.length;
  return items.slice(from, from + count);
}

function applicable({ policy, cases }: Size): EngineFigures['applicable_rules'] {
  const counts = cases.map(({ action, snapshot }) => {
    const { determining, considered } = decide(action, snapshot, policy, benchNow);
    return determining.length + considered.length;
  });
  return { mean: rounded(counts.reduce((sum, count) => sum + count, 0) / counts.length), most: Math.max(...counts) };
}

function partsOf({ policy, cases }: Size): EngineFigures['parts_us'] {
  const times = { mediate: [] as number[], inspect: [] as number[], snapshot: [] as number[] };
  for (let round = 0; round < 600; round++) {
    const those = turn(cases, round, batch);
    times.mediate.push(usEach(those, (one) => mediate(one.proposed, policy.catalogue)));
    times.inspect.push(usEach(those, (one) => inspectAction(one.action)));
    times.snapshot.push(usEach(those, (one) => takeSnapshot(one.state, one.action, one.evidence)));
  }
  const middle = (each: readonly number[]): number => rounded(median(each.slice(150)));
  return { mediate: middle(times.mediate), inspect: middle(times.inspect), snapshot: middle(times.snapshot) };
}
