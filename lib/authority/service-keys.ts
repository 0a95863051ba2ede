import type { ServiceKey, ServiceRole, TrustRoot } from './trust-root';

/** A trust root and the log position of the receipt that brought it into force. Lists of these rise in position. */
export type RootInForce = { readonly index: number; readonly root: TrustRoot };

/** What the roots say of a key at a log position; `version` is the root that says so. */
export type Delegation =
  | { readonly state: 'delegated'; readonly service: ServiceKey }
  | { readonly state: 'unlisted' | 'not_begun' | 'ended' | 'withdrawn'; readonly version: number };

/** Whether a key's range holds this position. */
export const covers = ({ from, to }: Pick<ServiceKey, 'from' | 'to'>, index: number): boolean => from <= index && (to === undefined || index <= to);

/** The service key with this id, when the root delegates receipts at this log position to it. */
export const serviceKeyAt = (root: TrustRoot, keyId: string, index: number): ServiceKey | undefined =>
  root.services.find((service) => service.key.id === keyId && covers(service, index));

/** Keys that hold a role at this log position: only the plane's sign checkpoints and permits. */
export const serviceKeysOf = (root: TrustRoot, role: ServiceRole, index: number): readonly ServiceKey[] =>
  root.services.filter((service) => service.role === role && covers(service, index));

/** The root in force at a position. Before the first came into force its delegations are what there is: they name positions themselves. */
export const rootInForceAt = <T extends RootInForce>(roots: readonly T[], index: number): T | undefined =>
  roots.findLast((one) => one.index <= index) ?? roots[0];

/**
 * Whether what this key signed at this position counts. It does when the root in force there delegates the position to it, and no
 * later root that lists the key withdraws the position (by a range that leaves it out, or by another role). "Before" and "after"
 * are log positions, never times.
 *
 * INVARIANT: a withdrawal is final. A later root gives no position back and grants none behind it, so whoever checks with more roots
 * accepts fewer receipts, never others. A later root that no longer lists the key withdraws nothing from before it.
 */
export function delegationAt(roots: readonly RootInForce[], keyId: string, index: number): Delegation {
  const inForce = rootInForceAt(roots, index);
  const service = inForce?.root.services.find(({ key }) => key.id === keyId);
  if (!inForce || !service) return { state: 'unlisted', version: inForce?.root.version ?? 0 };
  if (!covers(service, index)) return { state: index < service.from ? 'not_begun' : 'ended', version: inForce.root.version };
  for (const { root } of roots.slice(roots.indexOf(inForce) + 1)) {
    const later = root.services.find(({ key }) => key.id === keyId);
    if (later && (later.role !== service.role || !covers(later, index))) return { state: 'withdrawn', version: root.version };
  }
  return { state: 'delegated', service };
}

/**
 * All that `delegationAt` says of these roots, as ranges: each names positions at which its key counts, and what no range names does
 * not count. A key that is no longer listed keeps the range that it had; one that was withdrawn in between has several.
 */
export function delegatedRanges(roots: readonly RootInForce[]): readonly ServiceKey[] {
  const [only] = roots;
  if (only && roots.length === 1) return only.root.services;
  return roots.flatMap(({ index, root }, at) => {
    const inForce: Range = { from: at === 0 ? 0 : index, to: (roots[at + 1]?.index ?? Infinity) - 1 };
    return root.services.flatMap((service) => {
      const later = roots.slice(at + 1).flatMap((one) => one.root.services.filter(({ key }) => key.id === service.key.id));
      const range = later.reduce<Range>((left, one) => (one.role === service.role ? overlap(left, rangeOf(one)) : nothing), overlap(inForce, rangeOf(service)));
      if (range.from > range.to) return [];
      return [{ key: service.key, role: service.role, from: range.from, ...(range.to === Infinity ? {} : { to: range.to }) }];
    });
  });
}

type Range = { readonly from: number; readonly to: number };
const nothing: Range = { from: Infinity, to: -1 };
const rangeOf = ({ from, to = Infinity }: ServiceKey): Range => ({ from, to });
const overlap = (a: Range, b: Range): Range => ({ from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) });

/** The keys whose signature counts for a role at a position: `delegationAt`, for every key that the root in force lists. */
export const delegatedKeysAt = (roots: readonly RootInForce[], role: ServiceRole, index: number): readonly ServiceKey[] =>
  (rootInForceAt(roots, index)?.root.services ?? []).filter(
    (service) => service.role === role && delegationAt(roots, service.key.id, index).state === 'delegated',
  );
