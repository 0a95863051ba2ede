import type { Roster } from '@/lib/authority/roster';
import type { VerifiedTrustRoot } from '@/lib/authority/trust-root';
import type { Cryptography } from '@/lib/authority/verify-trust-root';
import type { LedgerReader } from '@/lib/ports/ledger-reader';
import type { CountedGrant, KeptTightened, TightenedMemory } from '@/lib/ports/tightened-memory';
import { digestText, fromHex } from '@/lib/shared/encoding';
import type { Digest, GrantId, PersonId } from '@/lib/shared/ids';
import { ok, type Result } from '@/lib/shared/result';

import type { AgentSuspension, ThrownSwitch } from '../in-force';
import type { ProvenHead } from '../proven-place';
import { atBeginning, followedTo, followLeaves, type Followed } from './follow-leaves';
import { mayTighten, takeLeaf } from './take-leaf';
import { keptOf, nothingKept, stateOf, suspendedUnder, type TightenedState } from './tightened-state';

/** What the log says was stopped, and under which name each vouching credential was made. Rows can only add to it. */
export type Tightened = {
  readonly switches: readonly ThrownSwitch[];
  readonly revoked: ReadonlySet<string>;
  /** Keys that their people revoked. */
  readonly keys: ReadonlySet<string>;
  readonly subjects: ReadonlyMap<string, string>;
  /** Agents that are suspended: since when, and by which receipt. */
  readonly agents: ReadonlyMap<string, AgentSuspension>;
  readonly registrants: ReadonlyMap<string, PersonId>;
  readonly suspended: ReadonlySet<PersonId>;
  /** Grants that have not run out, as the log counts them. */
  readonly grants: ReadonlyMap<GrantId, CountedGrant>;
  /** Requests and actions that people denied or took back, and proposals that were turned down after an owner had signed them, by id. */
  readonly ended: ReadonlySet<string>;
  /** Where each trust root came into force. */
  readonly roots: ReadonlyMap<Digest, number>;
};

/** Leaves that a process which starts reads again at most, where nothing was stopped or released meanwhile. */
const keptAtLeast = 4096;

export type TightenedInLog = {
  /** Reads up to the head, by a root in force. `now`: this process's own clock. */
  readonly follow: (root: VerifiedTrustRoot, roster: Roster | null, head: ProvenHead, now: string) => Promise<Result<Tightened>>;
  /** What was read before. */
  readonly known: (roster: Roster | null) => Promise<Result<Tightened>>;
};

type Parts = {
  readonly log: Pick<LedgerReader, 'leaves' | 'hashes'>;
  readonly cryptography: Cryptography;
  readonly memory: TightenedMemory;
};

/**
 * Reads in the leaves of the log what was tightened, so that no row that is set back, renamed or hidden releases or promotes anything. Each
 * leaf is read once by the processes of a state directory, proved to be of the log of the head, and what it says is kept beside the pins:
 * a process that starts goes on from there. Where an owner accepted another history everything is read anew, and what was kept stays.
 * Failures: `ledger_broken`, and whatever keeps the memory from being read.
 */
export function tightenedInLog(parts: Parts): TightenedInLog {
  const { sha256 } = parts.cryptography;
  let reading: { readonly state: TightenedState; at: Followed; kept: KeptTightened['read'] | undefined } | undefined;

  async function begun(): Promise<Result<NonNullable<typeof reading>>> {
    if (reading) return ok(reading);
    const kept = await parts.memory.read();
    if (!kept.ok) return kept;
    const { read, ...before } = kept.value ?? { ...nothingKept, read: undefined };
    const at = read && (await followedTo({ log: parts.log, sha256 }, read.size, fromHex(read.root) ?? new Uint8Array()));
    reading = { state: stateOf(before), at: at ?? atBeginning, kept: read };
    return ok(reading);
  }

  return {
    known: async (roster) => {
      const mine = await begun();
      return mine.ok ? ok(shown(mine.value.state, roster)) : mine;
    },
    follow: async (root, roster, head, now) => {
      const begin = await begun();
      if (!begin.ok) return begin;
      const mine = begin.value;
      let changed = false;
      const follow = (from: Followed) =>
        followLeaves({ log: parts.log, sha256 }, from, head, mayTighten, async (leaf) => {
          changed = true;
          await takeLeaf(mine.state, leaf, root, parts.cryptography);
        });
      let followed = await follow(mine.at);
      if (!followed.ok && followed.error.code === 'rollback_detected') {
        mine.state.roots.clear();
        followed = await follow(atBeginning);
      }
      if (!followed.ok) return followed;
      mine.at = followed.value;
      if (changed || mine.kept === undefined || head.size < mine.kept.size || head.size >= mine.kept.size + keptAtLeast) {
        const read = { size: head.size, root: digestText(head.root) };
        await parts.memory.keep({ ...keptOf(mine.state, now), read }, mine.kept);
        mine.kept = read;
      }
      return ok(shown(mine.state, roster));
    },
  };
}

const shown = (state: TightenedState, roster: Roster | null): Tightened => ({
  switches: [...state.switches.values()].map(({ scope, target, by, at, reason, receipt }): ThrownSwitch => ({ scope, subject: target, thrown_by: by, thrown_at: at, reason, receipt })),
  revoked: new Set(state.revoked),
  keys: new Set(state.keys.keys()),
  subjects: new Map(state.subjects),
  agents: new Map(state.agents),
  registrants: new Map(state.registrants),
  suspended: suspendedUnder(state.people.values(), roster?.version ?? 0),
  grants: new Map(state.grants),
  ended: new Set([...state.ended.keys(), ...[...state.proposals].flatMap(([proposal, turnedDown]) => (turnedDown ? [proposal] : []))]),
  roots: new Map(state.roots),
});
