import { z } from 'zod';

import type { CompiledPolicy } from '@/lib/engine/policy';
import type { CatalogueEntry } from '@/lib/mediate/catalogue';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { JsonObject } from '@/lib/shared/json';

import { joinBoxes, type Box, type Difference, type Way } from './boxes';
import type { Decided, Witness } from './comparison';
import type { Option } from './context-options';
import { decideUnder } from './decide-under';
import { differencesOf } from './differences';
import { dimensionKey, type Dimension } from './dimensions';
import { nextDimension } from './next-dimension';
import { OpenQuestions } from './open-question';
import type { OpenRule } from './open-rule';
import { optionsFor } from './options-for';
import { leafText, type Choice } from './place';
import { possibly } from './possible-truths';
import { Reads } from './reads';
import { relevantRules, type Beneath, type Relevant } from './relevant-rules';
import { sceneMaker, type Scene, type SceneMaker } from './scene';
import { subjectsIn, type TrackedRule } from './tracked-rule';
import { overlays, usualWays, type Grants } from './usual-ways';

/** How many classes may still be looked at; shared by all operations of one comparison. */
export type Budget = { left: number; classes: number };

export type OperationSearch = {
  readonly entry: CatalogueEntry;
  readonly base: CompiledPolicy | null;
  /** The base as it was signed; `base` may already have settings of the next one. */
  readonly realBase: CompiledPolicy | null;
  readonly next: CompiledPolicy;
  readonly tracked: readonly TrackedRule[];
  /** Nothing else can change a decision than these; null: anything may. */
  readonly changed: ReadonlySet<TrackedRule> | null;
  readonly internal: readonly string[];
  readonly grants: Grants;
  readonly budget: Budget;
};

/** Situations in which a decision changes alike, with what it comes to in one of them. */
export type Found = Difference & { readonly where: ReadonlyMap<string, readonly string[]>; readonly witness: Witness; readonly classes: number };
export type Searched = { readonly found: readonly Found[]; readonly doubts: ReadonlySet<string> };

/** Looks at every class of actions of one operation that the rules tell apart, one dimension after the other. */
export function searchOperation(search: OperationSearch): Searched {
  const { entry, base, next } = search;
  const walker = new Walker(search, sceneMaker(entry, base, next, entry));
  const open = search.tracked.map((tracked): OpenRule => ({ tracked, on: tracked.side, truth: possibly.any, rest: { text: '', keys: [...tracked.dimensions.keys()], leaves: tracked.leaves } }));
  const boxes = walker.visit(new Map(), { rules: open, denied: { base: base === null, next: false }, touching: '', last: null });
  return { found: boxes.flatMap((box) => walker.tell(box)), doubts: walker.doubts };
}

/** What was open before the last choice, which policies denied already, and what rules could change. */
type Visited = Relevant & { readonly touching: string; readonly last: string | null };

class Walker {
  readonly doubts = new Set<string>();
  private readonly choices = new Map<string, Choice>();
  private readonly questions: OpenQuestions;
  private readonly policies: readonly CompiledPolicy[];
  /** What was found where the same was open. */
  private readonly solved = new Map<string, readonly Box[]>();

  constructor(
    private readonly search: OperationSearch,
    private readonly make: SceneMaker,
  ) {
    this.policies = [search.base, search.next].filter((policy) => policy !== null);
    this.questions = new OpenQuestions(search.entry, this.policies);
  }

  visit(chosen: ReadonlyMap<string, Option>, from: Visited): readonly Box[] {
    const { changed, budget, entry } = this.search;
    if (budget.left <= 0) return this.stopped();
    const scene = this.make(inOrder(chosen));
    if (!scene.base && !scene.next) return [];
    const reads = new Reads(scene, chosen, from.rules, entry);
    const open = from.rules.flatMap((one): readonly OpenRule[] => {
      if (from.last !== null && reads.touching === from.touching && !one.tracked.dimensions.has(from.last)) return [one];
      const looked = reads.look(one);
      return looked ? [looked] : [];
    });
    const beneath = beneathOf(scene);
    const relevant = relevantRules(open, { base: from.denied.base ? null : beneath.base, next: from.denied.next ? null : beneath.next });
    const { rules, denied } = relevant;
    if (denied.base && denied.next) return this.none();
    if (changed && !denied.base && !denied.next && !rules.some(({ tracked }) => changed.has(tracked))) return this.none();
    const question = this.questions.textOf(relevant, chosen, scene);
    const known = this.solved.get(question);
    if (known) {
      this.none();
      return known;
    }
    const found = this.look(chosen, { ...relevant, touching: reads.touching });
    this.solved.set(question, found);
    return found;
  }

  /** A box as it is: with the action and the situation that were chosen in it, decided anew under both policies. */
  tell({ chosen, way, where, group, classes }: Box): readonly Found[] {
    const { entry, realBase } = this.search;
    const scene = this.make([...inOrder(new Map(chosen)), ...way]);
    const difference = this.differenceIn(scene, realBase);
    const action = scene.next?.action ?? scene.base?.action;
    if (!difference || !action) return [];
    // What was the same question has to have the same answer.
    if (group !== groupOf(difference, scene.proposed)) this.doubts.add(`${entry.tool}.${entry.operation}: what was found of one class of actions was not so of another.`);
    return [{ ...difference, where, classes, witness: { action: { tool: action.tool, operation: action.operation, parameters: scene.proposed }, snapshot: plainJson(scene.snapshot), now: scene.now } }];
  }

  private look(chosen: ReadonlyMap<string, Option>, here: Omit<Visited, 'last'>): readonly Box[] {
    const { entry, changed } = this.search;
    const { rules } = here;
    const dimension = nextDimension(rules, chosen, changed, entry);
    if (!dimension) return this.leaf(chosen, rules);
    const key = dimensionKey(dimension);
    const { options, doubts } = this.choiceFor(dimension, key, chosen, rules);
    for (const doubt of doubts) this.doubts.add(`${entry.tool}.${entry.operation}: ${doubt}`);
    return joinBoxes(key, options.map((option) => ({ words: option.words, option, boxes: this.visit(new Map([...chosen, [key, option]]), { ...here, last: key }) })));
  }

  private none(): readonly Box[] {
    this.search.budget.left -= 1;
    this.search.budget.classes += 1;
    return [];
  }

  private stopped(): readonly Box[] {
    const { entry } = this.search;
    this.doubts.add(`${entry.tool}.${entry.operation}: there are more classes of actions than are looked at.`);
    return [];
  }

  private choiceFor(dimension: Dimension, key: string, chosen: ReadonlyMap<string, Option>, rules: readonly OpenRule[]): Choice {
    const open = rules.map(({ tracked, on, rest }): TrackedRule => ({ ...tracked, side: on, leaves: rest.leaves }));
    const onIt = open.filter((_, i) => rules[i]?.rest.keys.includes(key));
    const beside = new Set(onIt.flatMap(({ leaves, needs }) => [...leaves.flatMap(({ keys }) => (keys.includes(key) ? keys : [])), ...needs.flat()]));
    const isAbout = dimension.of === 'subject' || dimension.of === 'attribute';
    if (isAbout) for (const one of chosen.keys()) if (one.startsWith('parameter ')) beside.add(one);
    const { entry, internal } = this.search;
    const taken = new Set([...chosen.keys()].filter((one) => one.startsWith('parameter ')));
    const asks = [...new Set(onIt.flatMap(({ leaves, side, rule }) => [...leaves.flatMap(({ leaf, keys }) => (keys.includes(key) ? [`${side} ${leafText(leaf)}`] : [])), JSON.stringify(rule.modify), JSON.stringify(rule.needs)]))].sort();
    const lifting = open.filter(({ rule }) => rule.classification === 'context_dependent_allow');
    const subjects = subjectsIn(open);
    const links = onIt.some(({ leaves }) => leaves.some(({ leaf, keys }) => leaf.is === 'compare' && keys.includes(key)));
    const linked = links ? open : [];
    const beyond = linked.map(({ leaves, rule }) => `${leaves.map(({ leaf }) => leafText(leaf)).join()} ${JSON.stringify(rule.modify)}`).sort();
    const cacheKey = `${key} ${beyond.join(' ')} ${String(lifting.length > 0)} ${subjects.join(',')} ${asks.join(' ')} ${[...beside].sort().map((one) => this.questions.idOf(chosen.get(one))).join(',')} ${[...taken].sort().join(',')}`;
    const known = this.choices.get(cacheKey);
    if (known) return known;
    const active = [...onIt, ...lifting.filter((one) => !onIt.includes(one)).map((one) => ({ ...one, leaves: [] }))];
    const found = optionsFor(dimension, { entry, make: this.make, chosen: new Map([...chosen].filter(([one]) => beside.has(one))), active, linked, internal, subjects, taken });
    this.choices.set(cacheKey, found);
    return found;
  }

  private leaf(chosen: ReadonlyMap<string, Option>, rules: readonly OpenRule[]): readonly Box[] {
    const { budget, entry, grants } = this.search;
    const options = inOrder(chosen);
    const lifts = rules.some(({ tracked: { rule } }) => rule.classification === 'context_dependent_allow');
    const ways = usualWays(this.policies, { lifts, grants });
    return joinBoxes('fit', ways.flatMap((way): readonly Way[] => {
      budget.left -= 1;
      budget.classes += 1;
      const plain = this.compareWith([...options, ...way]);
      const words = way.map((one) => one.words).filter((one) => one !== '').join(', ');
      const inWay = (more: readonly Option[], more_words: string, group: string | null): Way => ({ words: more_words, option: null, boxes: group === null ? [] : [{ group, where: new Map(), whereText: '', chosen: [], way: more, classes: 1 }] });
      // What lies over every decision alike matters only where there is something that it changes.
      const lying = plain.isDenied ? [] : overlays(this.policies, entry, chosen, plain.runs);
      return [inWay(way, words || 'fits the request', plain.group), ...lying.map((over) => inWay([...way, over], [words, over.words].filter((one) => one !== '').join(', '), this.compareWith([...options, ...way, over]).group))];
    }));
  }

  private compareWith(options: readonly Option[]): { readonly group: string | null; readonly isDenied: boolean; readonly runs: boolean } {
    const { realBase, base, next } = this.search;
    const scene = this.make(options);
    const [was, to] = [decidedIn(scene, 'base', base), decidedIn(scene, 'next', next)];
    const decisions = [was.decision, to.decision];
    // Settings that are told as such count as changed already, but what is told of a decision is between the two real policies.
    const plain = differenceOf(was, to, scene);
    const difference = plain && realBase !== base ? this.differenceIn(scene, realBase) : plain;
    return { group: difference && groupOf(difference, scene.proposed), isDenied: decisions.every((one) => one === 'DENY'), runs: decisions.some((one) => one === 'ALLOW' || one === 'MODIFY') };
  }

  private differenceIn(scene: Scene, base: CompiledPolicy | null): Difference | null {
    return differenceOf(decidedIn(scene, 'base', base), decidedIn(scene, 'next', this.search.next), scene);
  }
}

function differenceOf(from: Decided, to: Decided, { proposed }: Scene): Difference | null {
  const found = differencesOf(from, to, proposed);
  return found && { from, to, differences: found.words, effects: found.effects };
}

/** The clock and who acts come first: what else is put together looks at them. */
function inOrder(chosen: ReadonlyMap<string, Option>): readonly Option[] {
  const time = chosen.get('time');
  return time ? [time, ...[...chosen.values()].filter((option) => option !== time)] : [...chosen.values()];
}

function beneathOf(scene: Scene): Beneath {
  const of = (situation: Scene['next']): Beneath['next'] => situation && (situation.action.entry.decision ?? situation.policy.defaults.decision);
  return { base: of(scene.base), next: of(scene.next) };
}

const decidedIn = ({ snapshot, now, ...scene }: Scene, side: 'base' | 'next', policy: CompiledPolicy | null): Decided => decideUnder(policy, scene[side]?.action ?? null, snapshot, now);

/** What changes, whatever the values and the things are that it is about. */
function groupOf({ from, to, effects }: Difference, proposed: JsonObject): string {
  const without = ({ parameters, deferral, ...rest }: Decided): object => ({
    ...rest,
    changed: Object.keys({ ...proposed, ...parameters }).filter((name) => parameters !== undefined && JSON.stringify(parameters[name]) !== JSON.stringify(proposed[name])).sort(),
    deferral: deferral ? { ...deferral, missing: deferral.missing.map(({ field, subject, suppliers }) => [field, subject !== undefined, suppliers]) } : null,
  });
  return canonicalJson(asJson({ effects, from: without(from), to: without(to) }));
}

/** A copy without what is undefined. */
const plainJson = (value: object): JsonObject => z.record(z.string(), z.json()).parse(JSON.parse(JSON.stringify(value)));
