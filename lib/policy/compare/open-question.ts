import type { CompiledPolicy } from '@/lib/engine/policy';
import type { Predicate } from '@/lib/engine/predicate';
import { protectedPath } from '@/lib/engine/self-modification';
import type { CanonicalAction } from '@/lib/mediate/action';
import type { CatalogueEntry } from '@/lib/mediate/catalogue';

import type { Option } from './context-options';
import type { Relevant } from './relevant-rules';
import type { Scene } from './scene';
import { ruleText, subjectsIn, type TrackedRule } from './tracked-rule';

/**
 * What is still open, in words that are the same for two situations with the same answer: the rules that may still matter, what is
 * settled of them replaced by what it came to; everything chosen that they may still read or change; and what the engine reads of an
 * action beside rules.
 */
export class OpenQuestions {
  private readonly numbers = new Map<string, number>();
  private readonly done = new Map<TrackedRule, number>();
  private readonly options = new Map<Option, number>();

  constructor(
    private readonly entry: CatalogueEntry,
    private readonly policies: readonly CompiledPolicy[],
  ) {}

  textOf({ rules, denied }: Relevant, chosen: ReadonlyMap<string, Option>, scene: Scene): string {
    const kept = new Set(rules.flatMap(({ rest }) => rest.keys).filter((key) => chosen.has(key)));
    const lines = rules.map((one) => `${one.on} ${String(one.truth)} ${String(this.doneBy(one.tracked))} ${String(this.numberOf(one.rest.text))}`);
    const subjects = subjectsIn(rules.map(({ tracked, rest }) => ({ ...tracked, leaves: rest.leaves })));
    const facts = (['base', 'next'] as const).map((side) => (denied[side] ? 'denied' : this.factsOf(scene[side]?.action ?? null, subjects)));
    const taken = Object.entries(this.entry.parameters).flatMap(([name, { role }]) => (role !== undefined && chosen.has(`parameter ${name}`) ? [name] : []));
    return [lines.join(), [...kept].sort().map((key) => `${key} ${this.idOf(chosen.get(key))}`).join(), facts.join(), taken.join(), this.saidBeside(chosen)].join('\n');
  }

  idOf(option: Option | undefined): string {
    if (!option) return '';
    const id = this.options.get(option) ?? this.options.size;
    this.options.set(option, id);
    return String(id);
  }

  private numberOf(text: string): number {
    const number = this.numbers.get(text) ?? this.numbers.size;
    this.numbers.set(text, number);
    return number;
  }

  /** What a rule does, whatever it is about. */
  private doneBy(tracked: TrackedRule): number {
    const known = this.done.get(tracked) ?? this.numberOf(ruleText({ ...tracked.rule, applies: nothing, context: nothing }));
    this.done.set(tracked, known);
    return known;
  }

  private factsOf(action: CanonicalAction | null, subjects: readonly string[]): string {
    if (!action) return 'refused';
    const { facts } = action;
    const { target, paths, tables, urls, recipients, programs } = facts;
    // What else an argument that is not chosen yet would make of what the action is about.
    const counts = subjects.length === 0 ? [] : [target === undefined ? 0 : 1, ...[paths, tables, urls, recipients, programs].map(({ length }) => Math.min(2, length))];
    return `${facts.opaque.join(' ')} ${facts.impact} ${String(protectedPath(action) !== null)} ${counts.join(' ')}`;
  }

  /** Who could still say what is missing to judge an action by: see `overlays`. */
  private saidBeside(chosen: ReadonlyMap<string, Option>): string {
    if (!chosen.has('intent')) return '';
    const names = [...new Set(this.policies.flatMap(({ information }) => [...information.keys()]))].map((name) => `attribute target ${name}`);
    const said = names.filter((key) => chosen.has(key));
    return said.length < names.length ? `request ${said.join()}` : `request ${['intent', ...said].map((key) => this.idOf(chosen.get(key))).join()}`;
  }
}

const nothing: Predicate = { is: 'all', of: [] };
