import { hold } from '@/lib/engine/hold';
import type { Modification } from '@/lib/engine/rule';
import type { Situation } from '@/lib/engine/situation';

import { changedStates } from './changed-states';
import type { Option } from './context-options';
import type { Leaf } from './dimensions';
import { bitOf, combinedTruths, possibleTruths, possibly } from './possible-truths';
import type { Scene } from './scene';
import type { Open } from './settled-denials';
import type { TrackedRule } from './tracked-rule';

/** What rules may come to in a scene of which only a part is chosen, and whose arguments rules may still change. */
export class Reads {
  private readonly changes: readonly Modification[];
  /** Arguments that may be changed and are not chosen yet: all that is read of them is open. */
  private readonly open: ReadonlySet<string>;
  private readonly changed: ReadonlySet<string>;
  private readonly states = new Map<'base' | 'next', readonly Situation[] | null>();

  constructor(
    private readonly scene: Scene,
    private readonly chosen: ReadonlyMap<string, Option>,
    active: readonly Open[],
  ) {
    const all = active.flatMap(({ tracked }) => tracked.rule.modify);
    const keyOf = (change: Modification): string => `parameter ${change.path[0] ?? ''}`;
    this.changed = new Set(all.map(keyOf));
    this.open = new Set([...this.changed].filter((key) => !chosen.has(key)));
    this.changes = all.filter((change) => chosen.has(keyOf(change)));
  }

  truthsOf({ rule, side, cautious, keysOf }: TrackedRule): number {
    const { scene } = this;
    const from = side === 'next' || (side === 'both' && !scene.base) ? 'next' : 'base';
    if (!scene[from]) return possibly.false;
    const truths = (leaf: Leaf, careful: boolean): number => this.truthsOfLeaf(leaf, keysOf.get(leaf) ?? [], careful, from);
    const applies = possibleTruths(rule.applies, cautious, truths);
    return applies === possibly.false ? applies : combinedTruths(applies, possibleTruths(rule.context, cautious, truths));
  }

  private truthsOfLeaf(leaf: Leaf, keys: readonly string[], careful: boolean, from: 'base' | 'next'): number {
    const situation = this.scene[from];
    if (!situation || !keys.every((key) => this.chosen.has(key) && !this.open.has(key))) return possibly.any;
    const now = bitOf(hold(leaf, situation, careful));
    if (!keys.some((key) => this.changed.has(key))) return now;
    const states = this.statesOf(from, situation);
    if (!states) return possibly.any;
    if (states.length === 1) return now;
    // Where a changed argument comes from, and what is said of another target, is not worked out.
    if (!readsArguments(leaf)) return possibly.any;
    return states.reduce((found, state) => found | bitOf(hold(leaf, state, careful)), now);
  }

  /** What a comparison comes to under either caution, where that is settled; null: something that it reads is open, or may still be changed. */
  settled(leaf: Leaf, keys: readonly string[], { side }: TrackedRule): string | null {
    const { scene } = this;
    const situation = side === 'next' || (side === 'both' && !scene.base) ? scene.next : scene.base;
    if (!situation || !keys.every((key) => this.chosen.has(key) && !this.open.has(key) && !this.changed.has(key))) return null;
    return `${hold(leaf, situation, true).charAt(0)}${hold(leaf, situation, false).charAt(0)}`;
  }

  private statesOf(from: 'base' | 'next', situation: Situation): readonly Situation[] | null {
    const known = this.states.get(from);
    if (known !== undefined) return known;
    const found = changedStates(situation, this.changes);
    this.states.set(from, found);
    return found;
  }
}

function readsArguments(leaf: Leaf): boolean {
  const fields = leaf.is === 'test' ? [leaf.field] : leaf.is === 'compare' ? [leaf.left, leaf.right] : [];
  return fields.length > 0 && fields.every((field) => field.of === 'parameter' || field.of === 'recipient' || field.of === 'operation' || field.of === 'identity');
}
