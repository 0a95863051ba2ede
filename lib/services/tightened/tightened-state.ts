import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import type { CountedGrant, KeptTightened, StandingThrow, SuspendedAgent, SuspendedPerson } from '@/lib/ports/tightened-memory';
import { isId, type Digest, type GrantId, type PersonId, type ProposalId } from '@/lib/shared/ids';
import type { Timestamp } from '@/lib/shared/timestamp';

/** What was read so far, by what it is about. Whoever reads the log changes it; nobody else does. */
export type TightenedState = {
  readonly switches: Map<string, StandingThrow>;
  readonly revoked: Set<string>;
  readonly subjects: Map<string, string>;
  readonly keys: Map<string, number>;
  readonly agents: Map<string, SuspendedAgent>;
  readonly registrants: Map<string, PersonId>;
  readonly people: Map<PersonId, SuspendedPerson>;
  readonly grants: Map<GrantId, CountedGrant>;
  readonly ended: Map<string, Timestamp>;
  /** Signed by an owner; true: turned down since. */
  readonly proposals: Map<ProposalId, boolean>;
  readonly roots: Map<Digest, number>;
};

type Kept = Omit<KeptTightened, 'read'>;

export const switchKey = ({ scope, target = '' }: { readonly scope: string; readonly target?: string }): string => `${scope} ${target}`;

export const stateOf = (kept: Kept): TightenedState => ({
  switches: new Map(kept.switches.map((one) => [switchKey(one), one])),
  revoked: new Set(kept.revoked),
  subjects: new Map(kept.subjects.map(({ credential, subject }) => [credential, subject])),
  keys: new Map(kept.keys.map(({ key, index }) => [key, index])),
  agents: new Map(kept.agents.map((one) => [one.agent, one])),
  registrants: new Map(kept.registrants.map(({ agent, person }) => [agent, person])),
  people: new Map(kept.people.map((one) => [one.person, one])),
  grants: new Map(kept.grants.map((one) => [one.grant, one])),
  ended: new Map(kept.ended.map(({ id, at }) => [id, at])),
  proposals: new Map(kept.proposals.map(({ proposal, turned_down }) => [proposal, turned_down])),
  roots: new Map(kept.roots.map(({ digest, index }) => [digest, index])),
});

/** Longer than anything may wait for a person. */
const longestWaitMs = 31 * 86_400_000;

/** As it is kept. What has run out by this process's own clock gives nothing any more, so nobody has to know of it. */
export const keptOf = (state: TightenedState, now: string): Kept => ({
  switches: [...state.switches.values()],
  revoked: [...state.revoked],
  subjects: [...state.subjects].map(([credential, subject]) => ({ credential, subject })),
  keys: [...state.keys].map(([key, index]) => ({ key, index })),
  agents: [...state.agents.values()],
  registrants: [...state.registrants].map(([agent, person]) => ({ agent, person })),
  people: [...state.people.values()],
  grants: [...state.grants.values()].filter(({ expires_at }) => now < expires_at),
  ended: [...state.ended].map(([id, at]) => ({ id, at })).filter(({ at }) => !(Date.parse(now) > Date.parse(at) + longestWaitMs)),
  proposals: [...state.proposals].map(([proposal, turned_down]) => ({ proposal, turned_down })),
  roots: [...state.roots].map(([digest, index]) => ({ digest, index })),
});

export const nothingKept: Kept = { switches: [], revoked: [], subjects: [], keys: [], agents: [], registrants: [], people: [], grants: [], ended: [], proposals: [], roots: [] };

/**
 * A throw takes the place of one that is on only when it was thrown later, by the epoch that both state, and signed by a key that might: an
 * older one that is written again, and whose release an owner did sign, would otherwise take its place and be released by that.
 */
export function takeThrow(state: TightenedState, told: ReceiptPredicate<'switch_thrown'>, proven: boolean): void {
  const { scope, target = '', receipt, epoch, by, at, reason } = told;
  const standing = state.switches.get(switchKey(told));
  if (standing && !(proven && (!standing.proven || standing.epoch < epoch))) return;
  state.switches.set(switchKey(told), { scope, target, receipt, epoch, by: by.id, at, reason, proven });
}

/** What names a credential, or whoever registered an agent, counts only as `proven`. */
export function takeCredential(state: TightenedState, told: ReceiptPredicate<'credential_administered'>, proven: boolean): void {
  const { credential, change, kind, subject, by } = told;
  if (change === 'revoked') state.revoked.add(credential);
  if (kind === 'agent' && change === 'suspended') takeSuspension(state, { agent: subject, at: told.at, receipt: told.receipt, proven });
  if (kind === 'agent' && change === 'created' && proven && by.kind === 'person' && isId('person', by.id) && !state.registrants.has(subject)) state.registrants.set(subject, by.id);
  if (kind !== 'agent' && change === 'created' && proven && !state.subjects.has(credential)) state.subjects.set(credential, subject);
}

/** As with throws; which one is later the signed time says, which never goes back. */
function takeSuspension(state: TightenedState, told: SuspendedAgent): void {
  const standing = state.agents.get(told.agent);
  if (standing && !(told.proven && (!standing.proven || standing.at < told.at))) return;
  state.agents.set(told.agent, told);
}

/** Both by the time in the signed receipt, which never goes back: an older one that is written again changes nothing. */
export function takePerson(state: TightenedState, told: ReceiptPredicate<'user_administered'>, proven: boolean): void {
  const { person, change, at, roster_version } = told;
  const known = state.people.get(person) ?? { person, suspended_at: null, restored: null };
  if (change === 'suspended' && at > (known.suspended_at ?? '')) state.people.set(person, { ...known, suspended_at: at });
  if (change === 'restored' && proven && roster_version !== undefined && at > (known.restored?.at ?? '')) state.people.set(person, { ...known, restored: { at, roster_version } });
}

/** The first receipt that gives a grant is the one that counts, here as for those who use it. */
export function takeGrant(state: TightenedState, { grant, expires_at }: Pick<ReceiptPredicate<'grant_issued'>, 'grant' | 'expires_at'>): void {
  if (!state.grants.has(grant)) state.grants.set(grant, { grant, expires_at, used: 0, ended: false });
}

/** One that is not known has run out long ago, or was never given. */
export function changeGrant(state: TightenedState, grant: GrantId, change: (known: CountedGrant) => Partial<CountedGrant>): void {
  const known = state.grants.get(grant);
  if (known) state.grants.set(grant, { ...known, ...change(known) });
}

/** Whom the log says is suspended: suspended last after they were taken back, or taken back with a roster that is not in force. */
export function suspendedUnder(people: Iterable<SuspendedPerson>, rosterVersion: number): ReadonlySet<PersonId> {
  const suspended = new Set<PersonId>();
  for (const { person, suspended_at, restored } of people) {
    if (suspended_at !== null && (!restored || restored.at <= suspended_at || restored.roster_version > rosterVersion)) suspended.add(person);
  }
  return suspended;
}
