import { effects, type CatalogueEntry, type Effect, type Impact, impacts } from './catalogue';

/** Later is stricter. What an operation does and what its arguments show are compared in this order. */
const mildestFirst: readonly Effect[] = ['read', 'write', 'communicate', 'execute', 'destructive', 'spend', 'grant'];

/** How bad a wrong one usually is, by what it does. */
export const usualImpact: Readonly<Record<Effect, Impact>> = {
  read: 'low', write: 'medium', communicate: 'medium', execute: 'high', destructive: 'high', spend: 'high', grant: 'critical',
};

/** What an operation does may show in its arguments only: a query that deletes is a deletion, whatever the catalogue calls it. */
export const showsEffects = (entry: Pick<CatalogueEntry, 'parameters'>): boolean => Object.values(entry.parameters).some(({ role }) => role === 'query' || role === 'command');

export type EffectFacts = {
  /** What the catalogue says first, then what the arguments show besides, in the catalogue's order. */
  readonly effects: readonly Effect[];
  /** The strictest of them. */
  readonly effect: Effect;
  /** The catalogue's, or what the strictest effect usually has when that is more. */
  readonly impact: Impact;
};

/** A write that is disguised as a read is a write: what the arguments show only ever adds strictness. */
export function effectOf(entry: Pick<CatalogueEntry, 'effect' | 'impact'>, shown: ReadonlySet<Effect>): EffectFacts {
  if (shown.size === 0) return { effects: [entry.effect], effect: entry.effect, impact: entry.impact };
  const all = [entry.effect, ...effects.filter((effect) => effect !== entry.effect && shown.has(effect))];
  let { effect, impact } = entry;
  for (const other of all) {
    if (other === entry.effect) continue;
    if (mildestFirst.indexOf(other) > mildestFirst.indexOf(effect)) effect = other;
    if (impacts.indexOf(usualImpact[other]) > impacts.indexOf(impact)) impact = usualImpact[other];
  }
  return { effects: all, effect, impact };
}

export const strictest = (found: Iterable<Effect>): Effect =>
  [...found].reduce<Effect>((worst, one) => (mildestFirst.indexOf(one) > mildestFirst.indexOf(worst) ? one : worst), 'read');
