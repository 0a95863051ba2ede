import { z } from 'zod';

import type { CompiledPolicy } from '@/lib/engine/policy';
import type { CatalogueEntry } from '@/lib/mediate/catalogue';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { JsonObject } from '@/lib/shared/json';

import { joinBoxes, type Box } from './boxes';
import type { Decided } from './comparison';
import type { Option } from './context-options';
import { decideUnder } from './decide-under';
import { differencesOf } from './differences';
import { dimensionKey, type Dimension } from './dimensions';
import { optionsFor } from './options-for';
import { leafText, type Choice } from './place';
import { possibly } from './possible-truths';
import { Reads } from './reads';
import { isOfIdentity, sameQuestion } from './same-question';
import { sceneMaker, type Scene, type SceneMaker } from './scene';
import { isDenied, withoutShadowed, type Open } from './settled-denials';
import { subjectsIn, type TrackedRule } from './tracked-rule';
import { overlays, usualWays } from './usual-ways';

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
  readonly needsGrant: boolean;
  readonly budget: Budget;
};

export type Searched = { readonly boxes: readonly Box[]; readonly doubts: ReadonlySet<string> };

/** Looks at every class of actions of one operation that the rules tell apart, one dimension after the other. */
export function searchOperation(search: OperationSearch): Searched {
  const { entry, base, next } = search;
  const walker = new Walker(search, sceneMaker(entry, base, next, entry));
  const boxes = walker.visit(new Map(), search.tracked.map((tracked) => ({ tracked, truth: possibly.any })), null);
  return { boxes, doubts: walker.doubts };
}

class Walker {
  readonly doubts = new Set<string>();
  private readonly choices = new Map<string, Choice>();
  private readonly ids = new Map<Option, number>();
  /** What was found where nothing but whose action it is was otherwise. */
  private readonly solved = new Map<string, readonly Box[]>();

  constructor(
    private readonly search: OperationSearch,
    private readonly make: SceneMaker,
  ) {}

  visit(chosen: ReadonlyMap<string, Option>, before: readonly Open[], last: string | null): readonly Box[] {
    const { changed, budget } = this.search;
    if (budget.left <= 0) return this.stopped();
    const scene = this.make(inOrder(chosen));
    if (!scene.base && !scene.next) return [];
    const reads = new Reads(scene, chosen, before);
    const active = withoutShadowed(before.flatMap((open): readonly Open[] => {
      const truth = last !== null && !open.tracked.dimensions.has(last) ? open.truth : reads.truthsOf(open.tracked);
      return truth === possibly.false ? [] : [{ tracked: open.tracked, truth }];
    }));
    if (changed && !active.some(({ tracked }) => changed.has(tracked))) return this.none();
    if (isDenied('base', active, scene.base?.policy ?? null, scene.base?.action.entry) && isDenied('next', active, scene.next?.policy ?? null, scene.next?.action.entry)) return this.none();
    const question = last !== null && isOfIdentity(last) ? sameQuestion(active, chosen, reads, (option) => this.idOf(option)) : null;
    const known = question === null ? undefined : this.solved.get(question);
    if (known) {
      this.none();
      return known;
    }
    const found = this.look(chosen, active);
    if (question !== null) this.solved.set(question, found);
    return found;
  }

  private look(chosen: ReadonlyMap<string, Option>, active: readonly Open[]): readonly Box[] {
    const { entry } = this.search;
    const dimension = this.nextDimension(active, chosen);
    if (!dimension) return this.leaf(chosen, active.map(({ tracked }) => tracked));
    const key = dimensionKey(dimension);
    const { options, doubts } = this.choiceFor(dimension, key, chosen, active.map(({ tracked }) => tracked));
    for (const doubt of doubts) this.doubts.add(`${entry.tool}.${entry.operation}: ${doubt}`);
    return joinBoxes(key, options.map((option) => ({ words: option.words, boxes: this.visit(new Map([...chosen, [key, option]]), active, key) })));
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

  /** Of what the changed rules read first, then of what most of the others read; arguments before what is said of them. */
  private nextDimension(active: readonly Open[], chosen: ReadonlyMap<string, Option>): Dimension | null {
    const wanted = new Map<string, { readonly dimension: Dimension; weight: number }>();
    for (const { tracked, truth } of active) {
      const isSettled = truth === possibly.true || truth === possibly.unknown;
      const weight = this.search.changed?.has(tracked) === true ? 10_000 : 1;
      for (const [key, dimension] of tracked.dimensions) {
        if (chosen.has(key) || (isSettled && !tracked.needs.includes(key) && !(dimension.of === 'parameter' && tracked.changes.has(dimension.name)))) continue;
        const known = wanted.get(key);
        if (known) known.weight += weight;
        else wanted.set(key, { dimension, weight: weight + firstOf[dimension.of] });
      }
    }
    const heaviest = (fits: (dimension: Dimension) => boolean): Dimension | null => {
      let best: { readonly dimension: Dimension; readonly weight: number } | null = null;
      for (const one of wanted.values()) if (fits(one.dimension) && (!best || one.weight > best.weight)) best = one;
      return best?.dimension ?? null;
    };
    const best = heaviest(() => true);
    if (best?.of !== 'subject' && best?.of !== 'attribute') return best;
    const { parameters } = this.search.entry;
    // What an action is about is known once its arguments are, and what is said of it after that.
    return heaviest((one) => one.of === 'parameter' && Object.hasOwn(parameters, one.name) && parameters[one.name]?.role !== undefined) ?? heaviest((one) => one.of === 'subject' && one.about === best.about) ?? best;
  }

  private choiceFor(dimension: Dimension, key: string, chosen: ReadonlyMap<string, Option>, active: readonly TrackedRule[]): Choice {
    const onIt = active.filter(({ dimensions }) => dimensions.has(key));
    const beside = new Set(onIt.flatMap(({ leaves, needs }) => [...leaves.flatMap(({ keys }) => (keys.includes(key) ? keys : [])), ...needs]));
    const isAbout = dimension.of === 'subject' || dimension.of === 'attribute';
    if (isAbout) for (const one of chosen.keys()) if (one.startsWith('parameter ')) beside.add(one);
    const { entry, internal } = this.search;
    const taken = new Set([...chosen.keys()].filter((one) => one.startsWith('parameter ')));
    const asks = [...new Set(onIt.flatMap(({ leaves, side, rule }) => [...leaves.flatMap(({ leaf, keys }) => (keys.includes(key) ? [`${side} ${leafText(leaf)}`] : [])), JSON.stringify(rule.modify), JSON.stringify(rule.needs)]))].sort();
    const lifts = active.some(({ rule }) => rule.classification === 'context_dependent_allow');
    const subjects = subjectsIn(active);
    const cacheKey = `${key} ${String(lifts)} ${subjects.join(',')} ${asks.join(' ')} ${[...beside].sort().map((one) => this.idOf(chosen.get(one))).join(',')} ${[...taken].sort().join(',')}`;
    const known = this.choices.get(cacheKey);
    if (known) return known;
    const found = optionsFor(dimension, { entry, make: this.make, chosen: new Map([...chosen].filter(([one]) => beside.has(one))), active: lifts ? [...onIt, ...active.filter(({ rule, dimensions }) => rule.classification === 'context_dependent_allow' && !dimensions.has(key)).map((one) => ({ ...one, leaves: [] }))] : onIt, internal, subjects, taken });
    this.choices.set(cacheKey, found);
    return found;
  }

  private idOf(option: Option | undefined): string {
    if (!option) return '';
    const id = this.ids.get(option) ?? this.ids.size;
    this.ids.set(option, id);
    return String(id);
  }

  private leaf(chosen: ReadonlyMap<string, Option>, active: readonly TrackedRule[]): readonly Box[] {
    const { base, next, needsGrant, budget } = this.search;
    const lifts = active.some(({ rule }) => rule.classification === 'context_dependent_allow');
    const ways = usualWays([base, next].filter((policy) => policy !== null), { lifts, grant: needsGrant });
    return joinBoxes('fit', ways.flatMap((way) => {
      budget.left -= 1;
      budget.classes += 1;
      const options = [...inOrder(chosen), ...way];
      const plain = this.compareWith(options);
      const words = way.map((one) => one.words).filter((one) => one !== '').join(', ');
      // What lies over every decision alike matters only where there is something that it changes.
      const lying = plain.isDenied ? [] : overlays([base, next].filter((policy) => policy !== null), this.search.entry, chosen, plain.runs);
      return [{ words: words || 'fits the request', boxes: plain.boxes }, ...lying.map((over) => ({ words: [words, over.words].filter((one) => one !== '').join(', '), boxes: this.compareWith([...options, over]).boxes }))];
    }));
  }

  private compareWith(options: readonly Option[]): Compared {
    const { realBase, base, next } = this.search;
    return compareIn(this.make(options), realBase, base, next);
  }
}

/** Of two that are wanted alike: who acts, then with what, then where it stands. */
const firstOf: Readonly<Record<Dimension['of'], number>> = { identity: 0.9, parameter: 0.8, provenance: 0.1, subject: 0.15, attribute: 0.1, labels: 0.6, intent: 0.5, history: 0.2, elapsed: 0.4, time: 0.3, risk: 0.4 };

/** The clock and who acts come first: what else is put together looks at them. */
function inOrder(chosen: ReadonlyMap<string, Option>): readonly Option[] {
  const time = chosen.get('time');
  return time ? [time, ...[...chosen.values()].filter((option) => option !== time)] : [...chosen.values()];
}

type Compared = { readonly boxes: readonly Box[]; readonly isDenied: boolean; readonly runs: boolean };

function compareIn(scene: Scene, realBase: CompiledPolicy | null, base: CompiledPolicy | null, next: CompiledPolicy): Compared {
  const { snapshot, now, proposed } = scene;
  const [before, after] = [scene.base?.action ?? null, scene.next?.action ?? null];
  const [was, to] = [decideUnder(base, before, snapshot, now), decideUnder(next, after, snapshot, now)];
  const runs = [was, to].some(({ decision }) => decision === 'ALLOW' || decision === 'MODIFY');
  const same = { boxes: [], isDenied: was.decision === 'DENY' && to.decision === 'DENY', runs };
  if (!differencesOf(was, to, proposed)) return same;
  const from = realBase === base ? was : decideUnder(realBase, before, snapshot, now);
  const differences = differencesOf(from, to, proposed);
  const action = after ?? before;
  if (!differences || !action) return same;
  const box: Box = {
    group: canonicalJson(asJson({ effects: differences.effects, from: withoutValues(from), to: withoutValues(to) })),
    where: new Map(), from, to, differences: differences.words, effects: differences.effects, classes: 1,
    witness: () => ({ action: { tool: action.tool, operation: action.operation, parameters: proposed }, snapshot: plainJson(snapshot), now }),
  };
  return { ...same, isDenied: false, boxes: [box] };
}

const withoutValues = ({ parameters, ...rest }: Decided): object => ({ ...rest, changed: parameters ? Object.keys(parameters).sort() : [] });

/** A copy without what is undefined. */
const plainJson = (value: object): JsonObject => z.record(z.string(), z.json()).parse(JSON.parse(JSON.stringify(value)));
