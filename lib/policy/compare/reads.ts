import { hold } from '@/lib/engine/hold';
import { missingFields } from '@/lib/engine/missing-fields';
import { readAttribute } from '@/lib/engine/read-attribute';
import { readField } from '@/lib/engine/read-field';
import type { Modification, NeededField } from '@/lib/engine/rule';
import type { Missing } from '@/lib/engine/reading';
import type { Situation } from '@/lib/engine/situation';
import type { CatalogueEntry } from '@/lib/mediate/catalogue';

import { changedStates } from './changed-states';
import type { Option } from './context-options';
import type { Leaf } from './dimensions';
import type { OpenRule } from './open-rule';
import { leafText } from './place';
import { bitOf, mayBe, possibleTruths, combinedTruths, possibly } from './possible-truths';
import { restOf, type Rest } from './rest-of-rule';
import type { Scene } from './scene';
import { seenWith } from './shared-facts';
import { fieldsOf, type TrackedLeaf } from './tracked-rule';

/** What rules may come to in a scene of which only a part is chosen, and whose arguments rules may still change. */
export class Reads {
  /** Which arguments rules may change, and which of those are not chosen yet: what is read of them is open. */
  readonly touching: string;
  private readonly changes: readonly Modification[];
  private readonly changed: ReadonlySet<string>;
  private readonly states = new Map<'base' | 'next', readonly Situation[] | null>();

  constructor(
    private readonly scene: Scene,
    private readonly chosen: ReadonlyMap<string, Option>,
    active: readonly OpenRule[],
    private readonly entry: CatalogueEntry,
  ) {
    const all = active.flatMap(({ tracked }) => tracked.rule.modify);
    const keyOf = (change: Modification): string => `parameter ${change.path[0] ?? ''}`;
    this.changed = new Set(all.map(keyOf));
    this.changes = all.filter((change) => chosen.has(keyOf(change)));
    this.touching = [...this.changed].map((key) => `${key} ${String(chosen.has(key))}`).sort().join();
  }

  /** The rule as it stands now; null when it cannot hold any more. */
  look({ tracked, on }: OpenRule): OpenRule | null {
    const from = on === 'base' || !this.scene.next ? 'base' : 'next';
    const situation = this.scene[from];
    if (!situation) return null;
    const { rule, cautious, byLeaf } = tracked;
    const truths = (leaf: Leaf, careful: boolean): number => this.truthsOf(byLeaf.get(leaf), careful, from);
    const applies = possibleTruths(rule.applies, cautious, truths);
    const truth = applies === possibly.false ? applies : combinedTruths(applies, possibleTruths(rule.context, cautious, truths));
    if (truth === possibly.false) return null;
    const rest = truth === possibly.true ? [] : [rule.applies, rule.context].map((part) => restOf(part, cautious, (leaf, careful) => this.restOfLeaf(byLeaf.get(leaf), careful, from)));
    const needs = rule.needs.map((need, i) => this.restOfNeed(need, tracked.needs[i] ?? [], situation));
    const changes = [...tracked.changes].map((name): Rest => ({ text: '', keys: [`parameter ${name}`].filter((key) => tracked.dimensions.has(key)), leaves: [] }));
    const parts = [...rest, ...needs, ...changes];
    return { tracked, on, truth, rest: { text: parts.map(({ text }) => text).join(';'), keys: [...new Set(parts.flatMap(({ keys }) => keys))], leaves: parts.flatMap(({ leaves: open }) => open) } };
  }

  private truthsOf(tracked: TrackedLeaf | undefined, careful: boolean, from: 'base' | 'next'): number {
    const situation = this.scene[from];
    if (!tracked || !situation) return possibly.any;
    const { leaf } = tracked;
    const open = mayBe(leaf, this.entry);
    const keys = this.keysOf(tracked, situation);
    const touched = this.touchedBy(keys);
    if (![...keys, ...touched].every((key) => this.chosen.has(key))) return open;
    const now = bitOf(hold(leaf, situation, careful));
    if (touched.length === 0) return now;
    const states = this.statesOf(from, situation);
    if (!states) return open;
    if (states.length === 1) return now;
    // Where a changed argument comes from, and what is said of another target, is not worked out.
    return readsArguments(leaf) ? states.reduce((found, state) => found | bitOf(hold(leaf, state, careful)), now) : open;
  }

  /** What a comparison depends on: of an argument that the role reads otherwise than it is written, whatever else gives facts of that role. */
  private keysOf({ leaf, keys }: TrackedLeaf, { action: { parameters, facts } }: Situation): readonly string[] {
    const others = fieldsOf({ leaf }).flatMap((field) => {
      const [name = ''] = field.of === 'parameter' ? field.path : [];
      return seenWith(name, this.entry, parameters[name], facts).map((other) => `parameter ${other}`);
    });
    return others.length === 0 ? keys : [...new Set([...keys, ...others])];
  }

  /** Arguments that rules may still change and that are read here, or tell of what something is read. */
  private touchedBy(keys: readonly string[]): readonly string[] {
    if (this.changed.size === 0) return [];
    if (keys.includes('provenance *')) return [...this.changed];
    const isAbout = keys.some((key) => key.startsWith('attribute ') || key.startsWith('subject '));
    return [...this.changed].filter((key) => keys.includes(key) || (isAbout && tells(key, this.entry)));
  }

  private restOfLeaf(tracked: TrackedLeaf | undefined, careful: boolean, from: 'base' | 'next'): Rest {
    const situation = this.scene[from];
    if (!tracked || !situation) return { text: 'f', keys: [], leaves: [] };
    const { leaf } = tracked;
    const truth = this.truthsOf(tracked, careful, from);
    if (truth === possibly.true || truth === possibly.false) return { text: truth === possibly.true ? 't' : 'f', keys: [], leaves: [] };
    const keys = this.keysOf(tracked, situation);
    const touched = this.touchedBy(keys);
    if (truth === possibly.unknown && touched.length === 0 && keys.every((key) => this.chosen.has(key))) return { text: `u${missingText(missingFields(leaf, situation, careful))}`, keys: [], leaves: [] };
    return { text: leafText(leaf), keys: [...keys, ...touched], leaves: [keys === tracked.keys ? tracked : { leaf, keys }] };
  }

  private restOfNeed(need: NeededField, keys: readonly string[], situation: Situation): Rest {
    const touched = this.touchedBy(keys);
    if (![...keys, ...touched].every((key) => this.chosen.has(key)) || touched.length > 0) return { text: need.field, keys: [...keys, ...touched], leaves: [] };
    const about = need.field.startsWith('recipient.') ? 'recipients' : 'target';
    const reading = need.attribute !== null ? readAttribute(situation, need.attribute, need.field, about) : readField(situation, need.field === 'user_intent' ? { of: 'intent' } : { of: 'recipient' });
    return { text: reading.state === 'unknown' ? missingText([reading.missing]) : reading.state === 'absent' ? 'known' : reading.state, keys: [], leaves: [] };
  }

  private statesOf(from: 'base' | 'next', situation: Situation): readonly Situation[] | null {
    const known = this.states.get(from);
    if (known !== undefined) return known;
    const found = changedStates(situation, this.changes);
    this.states.set(from, found);
    return found;
  }
}

/** What is missing, of whatever it is missing. */
const missingText = (missing: readonly Missing[]): string => missing.map(({ field, subject, attribute, opaque }) => `${field} ${String(subject !== null)} ${attribute ?? ''} ${String(opaque)}`).join();

/** Whether an argument tells what or whom an action is about. */
function tells(key: string, { parameters }: CatalogueEntry): boolean {
  const name = key.slice('parameter '.length);
  const role = Object.hasOwn(parameters, name) ? parameters[name]?.role : undefined;
  return role !== undefined && role !== 'amount';
}

function readsArguments(leaf: Leaf): boolean {
  const fields = leaf.is === 'test' ? [leaf.field] : leaf.is === 'compare' ? [leaf.left, leaf.right] : [];
  return fields.length > 0 && fields.every((field) => field.of === 'parameter' || field.of === 'recipient' || field.of === 'operation' || field.of === 'identity');
}
