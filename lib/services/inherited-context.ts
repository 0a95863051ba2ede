import { argumentProvenance } from '@/lib/context/argument-provenance';
import { leastTrusted, provenances, type Inherited, type Provenance, type Written } from '@/lib/context/entry';
import { gainedLabels } from '@/lib/context/label-ledger';
import { permitLabels } from '@/lib/context/permit-labels';
import { delegatedTo, keysOfRead, keysOfWritten, resourcesRead, resourcesWritten, seenByFamily } from '@/lib/context/resources';
import { familyOf, Relatives } from '@/lib/context/relatives';
import { mayBeAChilds } from '@/lib/context/session-state';
import { writtenFormsIn } from '@/lib/context/written-values';
import type { CanonicalAction } from '@/lib/mediate/action';
import { mediate } from '@/lib/mediate/mediate';
import type { ActionRow } from '@/lib/ports/action-store';
import type { WrittenResource } from '@/lib/ports/session-store';
import type { ActionId } from '@/lib/shared/ids';

import { openAction } from './action-content';
import type { InForce } from './in-force';
import type { PlaneParts } from './plane-parts';
import type { LiveSession } from './session-contexts';

/** Resources that are named as where something came from; labels and origin count all. */
const mostNamed = 10;

const nothing: Inherited = { labels: [], origin: null, from: [] };

/**
 * What other sessions (and this one) have left on what the action reads, on what is being read by actions whose outcome is not
 * in, what the session's children have seen, and every label that any session of the family has. A write that is permitted after this was read is found again when the outcome
 * is recorded: whatever could have been read was permitted by then.
 */
export async function inheritedFor(parts: PlaneParts, session: LiveSession, action: CanonicalAction): Promise<Inherited> {
  const { state, row } = session;
  await meetRelatives(parts, session);
  const children = state.delegatedSeq > 0 ? [delegatedTo(row.id)] : [];
  return await lookUp(parts, [...resourcesRead(action, row.human), ...state.awaited.keys(), ...state.awaitedWhole, ...children], familyPool(session));
}

/** Takes in what the session's family was permitted since it was last looked up. */
async function meetRelatives(parts: PlaneParts, session: LiveSession): Promise<void> {
  const root = familyOf(session.state);
  if (root === null) return;
  session.relatives ??= new Relatives(session.state);
  session.relatives.take(await parts.stores.sessions.familyPermits(root, session.relatives.n));
}

/** `gained`: labels that the permit was not judged with. `moved`: they, or an origin that fell. */
export type InheritedSince = { readonly inherited: Inherited; readonly gained: readonly string[]; readonly moved: boolean };

/**
 * What an action whose permit is to be used inherits now. Its session's head says nothing of what OTHER sessions wrote since to what it
 * reads, nor of what its family saw. What its own permit laid down is left out, or an action that reads and writes one thing would
 * meet itself; where that permit wrote nothing, such labels are somebody else's.
 */
export async function inheritedSince(parts: PlaneParts, session: LiveSession, row: ActionRow, inForce: InForce): Promise<InheritedSince> {
  const { state } = session;
  const running = state.running.get(row.id);
  const before = running?.inherits ?? nothing;
  const reads = running?.reads ?? (await readsOf(parts, session, row, inForce)) ?? [];
  const pool = familyPool(session);
  const found = await foundOn(parts, [...reads, ...pool]);
  const own = new Set([...(running?.writes ?? []), ...pool].flatMap(keysOfWritten));
  const raised = state.labels.raisedBy(row.id);
  const labels = found.flatMap((one) => (own.has(one.key) ? one.labels.filter((label) => !raised.includes(label)) : one.labels));
  const gained = [...new Set(gainedLabels([...state.labels.current(row.id), ...before.labels], labels))];
  // A program's own write counts as seen by nobody, so where it wrote itself an origin says nothing of the others.
  const others = found.filter(({ key }) => !own.has(key)).map(({ origin }) => origin);
  const origin = leastTrusted(before.origin === null ? others : [before.origin, ...others]);
  const moved = gained.length > 0 || origin !== before.origin;
  return { inherited: moved ? { labels: [...before.labels, ...gained].sort(), origin, from: named(found) } : before, gained, moved };
}

/** Leaves of one action that are looked at; with more, the rest is content that nobody has seen. */
const mostSeen = 1_000;
/** Doubtful forms that one outcome may hold and still be trusted as to the rest. */
const mostDoubts = 1_000;

/**
 * What the outcome of an action inherits, and whether it may count as trusted at all: not when the words may be a child's, or
 * content that nobody saw was written to what it read. `doubts` are values in it that some session wrote there without being trusted.
 */
export async function inheritedByOutcome(
  parts: PlaneParts,
  session: LiveSession,
  row: ActionRow,
  inForce: InForce,
  text: string,
): Promise<{ readonly inherits: Inherited; readonly mayBeTrusted: boolean; readonly doubts: readonly string[] }> {
  const { state } = session;
  const reads = state.running.get(row.id)?.reads ?? (await readsOf(parts, session, row, inForce));
  const children = state.delegatedSeq > 0 ? [delegatedTo(session.row.id)] : [];
  const inherits = await lookUp(parts, [...(reads ?? []), ...children], familyPool(session));
  const clean = inherits.origin === null || isTrusted(inherits.origin);
  const believed = reads !== undefined && clean && !mayBeAChilds(state, row.id);
  const bits = believed && text !== '' ? await parts.stores.sessions.writtenValues([...new Set(reads.flatMap(keysOfRead))]) : null;
  const doubts = bits === null ? [] : writtenFormsIn(text, bits);
  return { inherits, mayBeTrusted: believed && doubts.length <= mostDoubts, doubts };
}

/** Of an action that ran so long that the context no longer holds it, or whose outcome came after it was given up. */
async function readsOf(parts: PlaneParts, session: LiveSession, row: ActionRow, inForce: InForce): Promise<readonly string[] | undefined> {
  const opened = await openAction(parts.stores.content, parts.sha256, row.effective);
  const catalogue = inForce.policy?.compiled.catalogue;
  const action = opened.ok && catalogue ? mediate(opened.value, catalogue) : undefined;
  return action?.ok === true ? resourcesRead(action.value, session.row.human) : undefined;
}

/**
 * Where the labels of a family are kept. A session that was opened before another one read something sensitive is no way out for
 * it: labels go up, down and sideways, at once. Trust does not, or nothing that a family reads could be believed.
 */
function familyPool({ state }: LiveSession): readonly string[] {
  const root = familyOf(state);
  return root === null ? [] : [seenByFamily(root)];
}

async function lookUp(parts: PlaneParts, resources: readonly string[], labelsOf: readonly string[]): Promise<Inherited> {
  const found = await foundOn(parts, [...resources, ...labelsOf]);
  if (found.length === 0) return nothing;
  return {
    labels: [...new Set(found.flatMap(({ labels }) => labels))].sort(),
    origin: leastTrusted(found.filter(({ key }) => !labelsOf.includes(key)).map(({ origin }) => origin)),
    from: named(found),
  };
}

/** No query for what reads nothing. */
async function foundOn(parts: PlaneParts, resources: readonly string[]): Promise<readonly WrittenResource[]> {
  const keys = new Set(resources.flatMap(keysOfRead));
  return keys.size === 0 ? [] : await parts.stores.sessions.written([...keys]);
}

const named = (found: readonly WrittenResource[]): Inherited['from'] => found.slice(0, mostNamed).map(({ key, session }) => ({ resource: key, session }));

/**
 * What issuing the permit leaves on the resources that it may write to: every label of the session, the least trusted place that
 * its content comes from. A child session leaves its labels for the sessions above it and for its family, whatever it does.
 */
export function writtenByPermit(session: LiveSession, action: CanonicalAction, inherited: Inherited, inForce: InForce): Written | undefined {
  const { state, row } = session;
  const resources = [...resourcesWritten(action, row.human), ...(state.lineage?.delegation ?? []).map((above) => delegatedTo(above.session)), ...familyPool(session)];
  if (resources.length === 0) return undefined;
  const labels = new Set([...state.labels.current(), ...permitLabels(action, unclassifiedIn(inForce)), ...inherited.labels]);
  return { ...originOf(session, action), labels: [...labels].sort(), resources };
}

/**
 * What an outcome leaves: its labels where the same action also wrote (a command that copies), and for the sessions above a child
 * all that the child has seen by now.
 */
export function writtenByOutcome(session: LiveSession, id: ActionId, labels: readonly string[], trusted: boolean): Written | undefined {
  const { state } = session;
  const resources = [...(state.running.get(id)?.writes ?? []), ...(state.lineage?.delegation ?? []).map((above) => delegatedTo(above.session)), ...familyPool(session)];
  if (resources.length === 0 || (labels.length === 0 && !state.lineage)) return undefined;
  return { labels: [...new Set([...state.labels.current(), ...labels])].sort(), origin: trusted ? 'trusted_output' : 'untrusted_output', resources: [...new Set(resources)] };
}

export const unclassifiedIn = (inForce: InForce): string => inForce.policy?.compiled.defaults.unclassified ?? 'RESTRICTED';

/** Where the content of a write comes from: what it only names (targets, paths, addresses) is no content, and content that nobody has seen is nobody's. */
function originOf({ state }: LiveSession, action: CanonicalAction): Pick<Written, 'origin' | 'doubts'> {
  const content = argumentProvenance(action, state.values, new Set()).filter(({ path }) => {
    const role = action.entry.parameters[/^[^.[]*/.exec(path)?.[0] ?? '']?.role;
    return role === undefined || role === 'command' || role === 'query';
  });
  // What a program writes, or an argument that nobody can read, is not what the arguments say.
  if (content.length === 0 || content.length > mostSeen || action.facts.effects.includes('execute') || action.facts.opaque.length > 0) return { origin: 'nowhere' };
  const doubts = content.filter(({ source }) => !isTrusted(source)).map(({ path }) => path);
  const origin = leastTrusted(content.map(({ source }) => source).filter(isTrusted)) ?? 'policy';
  return { ...(doubts.length > 0 ? { doubts } : {}), origin };
}

const isTrusted = (source: Provenance): boolean => provenances.indexOf(source) <= provenances.indexOf('policy');
