import { parseTrustRoot } from '@/lib/authority/parse-trust-root';
import { advancePin, comparePinnedLog, type Pin, type ShownState } from '@/lib/authority/pins';
import type { TrustRoot, VerifiedTrustRoot } from '@/lib/authority/trust-root';
import { verifyPolicyRevision } from '@/lib/authority/verify-policy-revision';
import type { Cryptography } from '@/lib/authority/verify-trust-root';
import type { Clock } from '@/lib/ports/clock';
import type { AuthorityStore, DocumentRow, PolicyRow } from '@/lib/ports/authority-store';
import type { CredentialStore } from '@/lib/ports/credential-store';
import type { LedgerReader } from '@/lib/ports/ledger-reader';
import type { PinStore } from '@/lib/ports/pin-store';
import type { RecoveryMemory, SeenRecovery } from '@/lib/ports/recovery-memory';
import type { TightenedMemory } from '@/lib/ports/tightened-memory';
import { envelopePayload, parseEnvelope, type Envelope } from '@/lib/shared/dsse';
import { digestOf, digestText, fromHex, utf8 } from '@/lib/shared/encoding';
import { isDigest, type Digest, type GrantId } from '@/lib/shared/ids';
import { fail, ok, type Fault, type Result } from '@/lib/shared/result';

import { grantsInLog } from './grants/grants-in-log';
import type { CompilePolicy, InForce, PolicyInForce } from './in-force';
import { servedPin } from './accepted-rollback';
import { memoryOfRecoveries } from './memory-of-recoveries';
import { newestRoster } from './newest-roster';
import { goesOn, isIncluded, placesIn, type ProvenHead, type ProvePlace, type Proving } from './proven-place';
import { recoveriesInLog } from './recoveries-in-log';
import { rootsInLog, type RootsInLog } from './roots-in-log';
import { memoryOfTightened } from './tightened/memory-of-tightened';
import { tightenedInLog, type Tightened } from './tightened/tightened-in-log';
import { withTightened } from './tightened/with-tightened';
import { judgeHere, type JudgeChange } from './judge-change';
import { loadRevision, type Cooling } from './load-revision';
import { revisionJudge, type KnownChange } from './revision-judge';
import { sharedLook } from './shared-look';

/**
 * How old a look may be that is acted on, milliseconds. Every commit compares its epoch, but whoever writes rows can set that back, and keep
 * looks from being made by rows that nobody can read: then nothing is acted on any more. Processes look several times as often.
 */
const mostAgeMs = 30_000;

export type AuthorityInForce = {
  /** As of the last look, or of one that is made now where that is long ago. Rejects where none can be made. */
  readonly current: () => Promise<InForce>;
  /**
   * Looks again, from after this call on: one that is under way may have read already what changed since. Callers who come meanwhile share
   * the look that follows it.
   */
  readonly refresh: () => Promise<InForce>;
  /** The class of a change, as this process finds it out by itself. It may take seconds; whoever loads the text then need not look again. */
  readonly changeOf: JudgeChange;
  /** How often each grant was used, by the log of now. */
  readonly usesOfGrants: () => Promise<ReadonlyMap<GrantId, number>>;
  /** Whether a receipt is where its row says, in the log that this process serves. */
  readonly isAt: ProvePlace;
};

export function authorityInForce(parts: {
  readonly authority: AuthorityStore;
  readonly credentials: CredentialStore;
  readonly log: Pick<LedgerReader, 'search' | 'hashes' | 'leaves' | 'head'>;
  readonly pins: PinStore;
  readonly cryptography: Cryptography;
  readonly compile: CompilePolicy;
  /** Finds out the class of a change elsewhere than in this thread. Left out: here. */
  readonly judge?: JudgeChange;
  /** Says when a cool-off is over. Left out: the database's clock, which whoever holds the database sets. */
  readonly clock?: Clock;
  /** What this state directory has seen of recoveries. Left out: only what this process has. */
  readonly recoveries?: RecoveryMemory;
  /** What this state directory has read of the log. Left out: the process reads all of it. */
  readonly tightened?: TightenedMemory;
  /** See InForce. */
  readonly managed?: readonly string[];
  /** Told of every look before anybody acts on it. */
  readonly onLook?: (seen: InForce) => void;
}): AuthorityInForce {
  const tightened = tightenedInLog({ log: parts.log, cryptography: parts.cryptography, memory: parts.tightened ?? memoryOfTightened() });
  const isAt = placesIn(parts.log, parts.cryptography.sha256, async () => (await current(), looked));
  const grants = grantsInLog(parts.log, { ...parts.cryptography, isAt: async (leaf) => looked !== undefined && (await isIncluded(parts.log, parts.cryptography.sha256, leaf, looked)) });
  const roots = rootsInLog(parts.log, parts.cryptography);
  const followRoots = recoveriesInLog({ log: parts.log, cryptography: parts.cryptography, memory: parts.recoveries ?? memoryOfRecoveries(), placed: roots.placed });
  let latest: InForce | undefined;
  let cooling: Pick<Cooling, 'untilMs'> | null = null;
  let counted: Tightened['grants'] = new Map();
  let looked: ProvenHead | undefined;
  let lookedAt = 0;
  // A class that was found out brings the revision into force, without anybody waiting for it.
  const judge = revisionJudge(parts.judge ?? judgeHere(parts.compile), () => void look.again().catch(() => undefined));

  const lookNow = async (): Promise<InForce> => {
    const before = await tightened.known(null);
    if (before.ok) roots.know(before.value.roots);
    return await lookAt({ ...parts, placed: roots.placed, followRoots, judge, cooling: (one) => (cooling = one) }, latest);
  };
  const look = sharedLook(async (): Promise<InForce> => {
    const begun = performance.now();
    const seen = await lookNow();
    if (!isOfServedLog(seen)) roots.forget();
    const first = await tightenedLook(seen);
    latest = { ...(first ?? (await tightenedLook(await lookNow())) ?? misplaced(seen)), managed: parts.managed ?? [] };
    lookedAt = begun;
    parts.onLook?.(latest);
    return latest;
  });
  const refresh = look.again;
  /**
   * What was looked at, less all that the log says was stopped. A log that is not proved to go on from the pin is not read; what was read
   * before stands. Undefined: roots came into force elsewhere than rows had it.
   */
  async function tightenedLook(seen: InForce): Promise<InForce | undefined> {
    const { root, head } = seen;
    if (!root || !head) return seen;
    const roster = seen.roster?.roster ?? null;
    const before = await tightened.known(roster);
    if (!before.ok) return { ...seen, ...unread(before.error) };
    if (!isOfServedLog(seen)) return withTightened(seen, before.value);
    const read = await tightened.follow(root, roster, head, parts.clock?.now() ?? '');
    if (!read.ok) return { ...withTightened(seen, before.value), ...unread(read.error) };
    if (!roots.agree(read.value.roots)) return undefined;
    counted = read.value.grants;
    looked = head;
    return withTightened({ ...seen, grants: await grants.standing(root.root, BigInt(head.size)), endedGrants: grants.ended() }, read.value);
  }
  // Nothing else tells that a cool-off is over: the log does not grow by it.
  const isDue = (): boolean => cooling !== null && Date.parse(parts.clock?.now() ?? '') >= cooling.untilMs;
  const current = async (): Promise<InForce> => {
    if (latest && !isDue() && performance.now() - lookedAt < mostAgeMs) return latest;
    cooling = null;
    return await look.now();
  };
  const usesOfGrants = async (): Promise<ReadonlyMap<GrantId, number>> => {
    const found = new Map(await grants.used((await parts.authority.position()).size));
    for (const { grant, used } of counted.values()) found.set(grant, Math.max(used, found.get(grant) ?? 0));
    return found;
  };
  const changeOf: JudgeChange = async (base, next) => (await judge(false)(base, next)) ?? 'not_proved';
  return { refresh, usesOfGrants, current, isAt, changeOf };
}

/** Revisions that are looked at first, and at most. */
const fewPolicies = 20;
const mostPolicies = 5000;

type Parts = Omit<Parameters<typeof authorityInForce>[0], 'judge'> & { readonly judge: (serves: boolean) => KnownChange; readonly placed: RootsInLog['placed']; readonly followRoots: ReturnType<typeof recoveriesInLog>; readonly cooling: (one: Pick<Cooling, 'untilMs'>) => void };
type Seen = Pick<InForce, 'epoch' | 'size' | 'head' | 'switches' | 'agents' | 'revoked' | 'subjects'>;

async function lookAt(parts: Parts, before: InForce | undefined): Promise<InForce> {
  const { authority, credentials, pins, cryptography } = parts;
  // The pin is read before the database: another process of this state directory may be serving and pinning meanwhile, and a
  // database that was looked at before its pin would seem to be behind it.
  const pinned = await pins.read();
  // The epoch is read before the rest: what changes while the rest is read raises it, and then the next commit looks again.
  const { epoch, size, root: logRoot, now } = await authority.position();
  const [roots, rosters, policies, switches, agents] = await Promise.all([
    authority.trustRoots(),
    authority.rosters(),
    authority.policies(fewPolicies),
    authority.switches(),
    credentials.agents(),
  ]);
  const head = { size: Number(size), root: logRoot };
  const seen: Seen = { epoch, size: head.size, head, switches, agents, revoked: new Set(), subjects: new Map() };
  if (!pinned.ok) return closed(seen, 'trust_root_unpinned', pinned.error);
  const pin = pinned.value;
  if (!pin) return closed(seen, roots.length === 0 ? 'policy_unsigned' : 'trust_root_unpinned', null);
  if (roots.length === 0) return closed(seen, 'rollback_detected', null);

  if (isAnotherRoot(roots, pin, cryptography)) {
    return closed(seen, 'rollback_detected', { code: 'rollback_detected', detail: 'Another trust root than the pinned one: this is another history, or another database.', fix: 'Start on the database that this state directory belongs to.' });
  }
  const logShownTo = async (to: Pin): Promise<ShownState['log']> => ({ size: head.size, root: digestText(logRoot), root_at_pin: await rootAtPin(parts, to, head) });
  const chain = await followed(roots, pin, parts, head, parts.clock?.now() ?? now);
  if (!chain.ok) {
    const log = comparePinnedLog(pin, { log: await logShownTo(pin) });
    return log.ok ? closed(seen, 'policy_unreadable', chain.error) : closed(seen, 'rollback_detected', log.error);
  }
  const { root, open, recovered } = chain.value;
  const roster = await newestRoster(rosters, root, before, cryptography);
  if (!roster.ok) return { ...closed(seen, 'policy_unreadable', roster.error), root, recoveries: open, recovered };
  const proving: Proving = { ...cryptography, isAt: (leaf) => isIncluded(parts.log, cryptography.sha256, leaf, head) };
  const policy = await newestPolicy(await downToABase(policies, root.root, before, parts), root, before, { ...parts, cryptography: proving }, Date.parse(parts.clock?.now() ?? now));
  const found = {
    root_version: root.root.version,
    roster_version: roster.value.verified.roster.version,
    policy: policy.inForce ? { revision: policy.inForce.revision, digest: policy.inForce.digest } : null,
    log: { size: head.size, root: digestText(logRoot) },
  };
  const shownTo = async (to: Pin): Promise<ShownState> => ({ ...found, root_fingerprint: root.fingerprint, log: await logShownTo(to) });
  const served = await servedPin(pin, await shownTo(pin), root.root, shownTo, { log: parts.log, cryptography: proving });
  const verified = { root, recoveries: open, recovered, roster: roster.value.verified, found };
  // A log that cannot be proved keeps revisions out, and then they seem to be behind the pin.
  if (!served.ok) return { ...closed(seen, 'rollback_detected', policy.refusal?.code === 'ledger_broken' && comparePinnedLog(pin, await shownTo(pin)).ok ? policy.refusal : served.error), ...verified };
  if (!policy.inForce) return { ...closed(seen, 'policy_unsigned', policy.refusal), ...verified };
  const advanced = advancePin(served.value, await shownTo(served.value));
  if (advanced.ok) await pins.write(advanced.value, served.value === pin ? undefined : pin);
  return { ...seen, ...verified, denied: null, policy: policy.inForce, refusal: policy.refusal ?? roster.value.refusal };
}

/** Whatever else is denied for was found before the log was proved to go on from the pin. */
const isOfServedLog = ({ denied }: InForce): boolean => denied === null || denied === 'policy_unsigned';

const misplaced = (seen: InForce): InForce =>
  ({ ...seen, denied: 'policy_unreadable', root: null, roster: null, policy: null, refusal: { code: 'trust_root_invalid', detail: 'The log does not say where a trust root came into force.', fix: 'Run "countersign fsck".' } });

/** Without what was stopped nothing can be let go on. */
const unread = (refusal: Fault) => ({ denied: refusal.code === 'trust_root_unpinned' ? ('trust_root_unpinned' as const) : ('rollback_detected' as const), policy: null, refusal });

const closed = (seen: Seen, denied: InForce['denied'], refusal: Fault | null): InForce => ({
  ...seen, denied, root: null, roster: null, policy: null, refusal,
});

/**
 * The pinned root, when the log as it is now is proved to go on from it (RFC 6962 consistency); else null. Recomputing the root at
 * the pin's size would not do: hashes of the past could be left standing beside a head of another history.
 */
async function rootAtPin({ log, cryptography }: Parts, pin: Pin, head: ProvenHead): Promise<Digest | null> {
  const root = pin.log && fromHex(pin.log.root);
  return pin.log && root && (await goesOn(log, cryptography.sha256, { size: pin.log.size, root }, head)) ? pin.log.root : null;
}

/** A first root that can be read and is another one. What cannot be read is a damaged row, and said as such. */
function isAnotherRoot(rows: readonly DocumentRow[], pin: Pin, { sha256 }: Cryptography): boolean {
  const first = rows[0] && parseEnvelope(rows[0].envelope);
  const bytes = first?.ok === true ? envelopePayload(first.value) : undefined;
  return bytes !== undefined && parseTrustRoot(bytes).ok && digestOf(sha256, bytes) !== pin.root_fingerprint;
}

type Followed = { readonly root: VerifiedTrustRoot; readonly open: readonly SeenRecovery[]; readonly recovered: ReadonlySet<Digest> };

async function followed(rows: readonly DocumentRow[], pin: Pin, { placed, followRoots, cooling }: Parts, head: ProvenHead, now: string): Promise<Result<Followed>> {
  const envelopes: Envelope[] = [];
  for (const row of rows) {
    const envelope = parseEnvelope(row.envelope);
    if (!envelope.ok) return fail('trust_root_invalid', `Trust root ${row.version} cannot be read.`, { cause: envelope.error });
    envelopes.push(envelope.value);
  }
  const { roots, fault, open, recovered, waitsUntilMs } = await followRoots(envelopes, pin.root_fingerprint, pin.root_version, head, now);
  // Nothing else tells that this process's own day of notice is over.
  if (waitsUntilMs !== null) cooling({ untilMs: waitsUntilMs });
  if (fault) return fault;
  const newest = await placed(roots, head);
  return newest.ok ? ok({ root: newest.value, open, recovered }) : newest;
}

/**
 * The newest revisions, down to one that can be judged without the one before it: the one that this process serves, one that enough owners
 * have signed for a change of any class, or the first. Each tightening above it needs its base, however many there were in a row.
 */
async function downToABase(newest: readonly PolicyRow[], root: TrustRoot, before: InForce | undefined, { authority, cryptography }: Parts): Promise<readonly PolicyRow[]> {
  let rows = newest;
  for (let limit = fewPolicies, looked = 0; ;) {
    for (const row of rows.slice(looked)) {
      if (row.revision === 1 || row.revision === before?.policy?.revision || (await isSignedForAll(row, root, cryptography))) return rows;
    }
    if (rows.length < limit || limit >= mostPolicies) return rows;
    looked = rows.length;
    limit *= 4;
    rows = await authority.policies(limit);
  }
}

async function isSignedForAll({ text, digest, signature, statement }: PolicyRow, root: TrustRoot, cryptography: Cryptography): Promise<boolean> {
  const [signed, apply] = [parseEnvelope(signature), parseEnvelope(statement)];
  return isDigest(digest) && signed.ok && apply.ok && (await verifyPolicyRevision({ bytes: utf8(text), digest, signature: signed.value, apply: apply.value }, root, 'not_proved', cryptography)).ok;
}

const isStoredAs = ({ digest, text, stored }: PolicyInForce, row: PolicyRow): boolean =>
  digest === row.digest && text === row.text && stored?.signature === row.signature && stored.statement === row.statement;

/** The newest revision that verifies and compiles. What was refused on the way is said, and the last good one goes on. */
async function newestPolicy(
  rows: readonly PolicyRow[],
  root: VerifiedTrustRoot,
  before: InForce | undefined,
  parts: Parts & { readonly cryptography: Proving },
  nowMs: number,
): Promise<{ readonly inForce: PolicyInForce | null; readonly refusal: Fault | null }> {
  let refusal: Fault | null = null;
  // What this process verified stands under the root that it was verified with; another root judges it anew.
  const last = before?.root?.root.version === root.root.version ? before.policy : null;
  for (const row of rows) {
    const isLast = last?.revision === row.revision;
    if (last && isLast && isStoredAs(last, row)) return { inForce: last, refusal };
    // What serves goes on meanwhile; where nothing can, as under another root, the class is waited for.
    const policy = await loadRevision(row, { root, rows, served: last, nowMs }, { ...parts, judge: parts.judge(last !== null) }, parts.cooling);
    if (last && isLast && !(policy.ok && policy.value.digest === last.digest)) {
      // Its row was altered, or another text was signed under its number: what was verified goes on.
      const other = fail('policy_not_newer', `Another text was signed as revision ${row.revision}, which is in force already.`, { fix: 'Sign it as the next revision.' });
      return { inForce: last, refusal: refusal ?? (policy.ok ? other.error : policy.error) };
    }
    if (policy.ok) return { inForce: policy.value, refusal };
    refusal ??= policy.error;
  }
  return { inForce: null, refusal };
}
