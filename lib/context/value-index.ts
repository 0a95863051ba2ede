import type { Json } from '@/lib/shared/json';
import { isJsonArray, isJsonObject } from '@/lib/shared/json';

import { datesIn, timesIn } from './date-forms';
import { decodedTexts } from './decoded-texts';
import type { Provenance } from './entry';
import { ForgottenForms } from './forgotten-forms';
import { hasInvisible, longestText, plainText, withoutInvisible } from './plain-text';
import { chunksOf, fieldName, groupedForm, groupedIn, numberForm, partsOf, shortestFreeValue, shortFieldsIn, spacedNumbersIn } from './value-forms';

/** Where a value was seen. */
export type Sighting = { readonly source: Provenance; readonly seq: number; readonly where: string };

/** Forms of what outputs and the session itself said, and beside them forms of what people said: those must not be crowded out. */
const mostForms = 100_000;
const mostSaidForms = 20_000;
/** Words in a row that are looked up together; longer phrases are looked up piece by piece, worst piece counting. */
const longestPhrase = 2;
const mostLeaves = 2_000;

/**
 * Every value that the session has seen, in the forms it may come back in, with the least trusted place it came from.
 * What the person said before any output did came from the person: outputs that repeat it do not change that. Between
 * outputs the least trusted one counts, whatever the order. What the session wrote itself came from nowhere, and no
 * output raises it. Full means that what would be added is forgotten, and so found nowhere; that it was somewhere untrusted is still
 * known, so that a person who repeats it later does not make it theirs; and trusted outputs count as untrusted from then on.
 */
export class ValueIndex {
  private readonly forms = new Map<string, Sighting>();
  private saidForms = 0;
  private full = false;
  private forgotten: ForgottenForms | null = null;

  /** The same values, for a session that starts with them. */
  copy(): ValueIndex {
    const copied = new ValueIndex();
    for (const [form, sighting] of this.forms) copied.forms.set(form, sighting);
    copied.saidForms = this.saidForms;
    copied.full = this.full;
    copied.forgotten = this.forgotten?.copy() ?? null;
    return copied;
  }

  get size(): number {
    return this.forms.size;
  }

  known(): readonly string[] {
    return [...this.forms.keys()];
  }

  /** Forms that were seen there, whatever text they are from. */
  addKnown(forms: readonly string[], sighting: Sighting): void {
    for (const form of forms) this.put(form, sighting);
  }

  /** Values of a text that the session now knows. */
  addText(text: string, sighting: Sighting): void {
    if (text.length > longestText && isSuspect(sighting.source)) this.full = true;
    const plain = plainText(text);
    if (hasInvisible(plain)) {
      this.addWords('r', chunksOf(plain), sighting);
      this.addPlain(withoutInvisible(plain), withoutInvisible(text), sighting);
    } else this.addPlain(plain, text, sighting);
    for (const decoded of decodedTexts(text.slice(0, longestText))) {
      // What nobody could read, nobody said.
      const source = decoded.opaque && !isSuspect(sighting.source) ? 'untrusted_output' : sighting.source;
      this.addPlain(withoutInvisible(plainText(decoded.text)), decoded.text, { ...sighting, source });
    }
  }

  /** The leaves of a value, such as parameters that the session wrote or an answer that a person typed. Names of fields inside are written too; the outermost are the schema's. */
  addValue(value: Json, sighting: Sighting, path = ''): void {
    const complete = eachLeaf(value, path, (leaf, at) => {
      const text = String(leaf);
      this.addText(text, sighting);
      if (text.length < shortestFreeValue) this.put(`f${fieldName(lastField(at))}=${text.toLowerCase()}`, sighting);
      const grouped = groupedForm(plainText(text));
      if (grouped !== undefined) this.put(`c${grouped}`, sighting);
    });
    for (const inner of isJsonObject(value) ? Object.values(value) : []) eachName(inner, (name) => { this.addText(name, sighting); });
    if (!complete && isSuspect(sighting.source)) this.full = true;
  }

  /** The least trusted place that this leaf came from; undefined: nowhere. `path` names its field. */
  find(leaf: string | number | boolean | null, path: string): Sighting | undefined {
    const text = plainText(String(leaf)).trim();
    const found = text.length < shortestFreeValue || typeof leaf === 'boolean' || leaf === null ? this.findShort(text, path) : this.findLong(leaf, text);
    if (found?.source === 'trusted_output' && this.full) return { ...found, source: 'untrusted_output' };
    return found?.source === 'nowhere' ? undefined : found;
  }

  private findLong(leaf: string | number, text: string): Sighting | undefined {
    // A number is a number: that an account or a date has the same digits says nothing about it.
    if (typeof leaf === 'number') return this.forms.get(`n${numberForm(text) ?? ''}`);
    // What hides characters is not what somebody wrote without them.
    if (hasInvisible(text)) return this.findPhrase('r', text);
    const found = this.findFree(text);
    return found && least([found, ...this.partsKnown(leaf, text)]);
  }

  /** Addresses, paths, dates, accounts inside of a text, however they are written there: one that came from somewhere worse counts. */
  private partsKnown(leaf: string, text: string): readonly Sighting[] {
    const chunks = chunksOf(text);
    // One word was looked up whole.
    if (chunks.length < 2 && !/[%&\\]/.test(text)) return [];
    const forms = chunks.filter((chunk) => chunk.length >= shortestFreeValue && /[@/0-9]/.test(chunk)).map((chunk) => `w${chunk}`);
    if (/[0-9]/.test(text)) {
      for (const one of datesIn(text)) forms.push(`d${one}`);
      for (const one of groupedIn(text)) forms.push(`c${one}`);
    }
    for (const decoded of decodedTexts(leaf)) for (const chunk of chunksOf(withoutInvisible(plainText(decoded.text)))) if (/[@/0-9]/.test(chunk)) forms.push(`w${chunk}`);
    return forms.map((form) => this.forms.get(form)).filter((one) => one !== undefined);
  }

  private findShort(text: string, path: string): Sighting | undefined {
    const field = fieldName(lastField(path));
    // A person says "event 5", a tool `event_id: 5`; the output that calls it only `id` is meant too.
    const names = new Set([field, ...field.split('_')]);
    return least([...names].map((name) => this.forms.get(`f${name}=${text}`)).filter((one) => one !== undefined));
  }

  private findFree(text: string): Sighting | undefined {
    // Numbers, dates, times and accounts have digits; most texts have none.
    const figures = /[0-9]/.test(text) ? this.findFigures(text) : null;
    return figures === null ? this.findPhrase('w', text) : figures;
  }

  /** Null: it is none, and may be found by its words. */
  private findFigures(text: string): Sighting | undefined | null {
    const number = numberForm(text);
    if (number !== undefined) {
      const grouped = groupedForm(text);
      return this.forms.get(`n${number}`) ?? this.forms.get(`w${text}`) ?? (grouped === undefined ? undefined : this.forms.get(`c${grouped}`));
    }
    const moment = /^([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[t ]([0-9]{2}:[0-9]{2})(?::[0-9]{2})?(?:\.[0-9]+)?z?)?$/i.exec(text);
    if (moment) return this.findMoment(moment[1] ?? '', moment[2]);
    const clock = /^[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?$/.test(text) ? timesIn(text)[0] : undefined;
    if (clock !== undefined) return this.forms.get(`t${clock}`);
    const grouped = groupedForm(text);
    return (grouped === undefined ? undefined : this.forms.get(`c${grouped}`)) ?? null;
  }

  private findMoment(day: string, time: string | undefined): Sighting | undefined {
    const date = this.forms.get(`d${day}`) ?? this.forms.get(`d-${day.slice(4)}`);
    if (time === undefined || !date) return date;
    const clock = this.forms.get(`t${time}`);
    return clock && least([date, clock]);
  }

  /** Every stretch of two words must have been seen; the worst one counts. */
  private findPhrase(kind: 'w' | 'r', text: string): Sighting | undefined {
    // Most long texts are new from their first words on; then the rest need not be taken apart.
    const begin = chunksOf(text, longestPhrase);
    if (begin.length === longestPhrase && !this.forms.has(`${kind}${begin.join(' ')}`)) return undefined;
    const chunks = chunksOf(text);
    const only = chunks[0];
    if (only === undefined) return undefined;
    if (chunks.length === 1) return this.forms.get(`${kind}${only}`) ?? this.forms.get(`${kind}${only.replace(/^(?:[a-z][a-z0-9+.-]*:\/\/|mailto:)/, '')}`);
    const parts: Sighting[] = [];
    for (let i = 0; i === 0 || i + longestPhrase <= chunks.length; i++) {
      const part = this.forms.get(`${kind}${chunks.slice(i, i + longestPhrase).join(' ')}`);
      if (!part || part.source === 'nowhere') return undefined;
      parts.push(part);
    }
    return least(parts);
  }

  private addPlain(plain: string, text: string, sighting: Sighting): void {
    const chunks = chunksOf(plain);
    this.addWords('w', chunks, sighting);
    for (const chunk of chunks) {
      this.addForms(chunk, sighting);
      for (const part of partsOf(chunk)) {
        this.put(`w${part}`, sighting);
        this.addForms(part, sighting);
      }
    }
    for (const one of timesIn(plain)) this.put(`t${one}`, sighting);
    if (!/[0-9]/.test(plain)) {
      if (/(?:st|nd|rd|th)\b/.test(plain)) for (const one of datesIn(plain)) this.put(`d${one}`, sighting);
      return;
    }
    for (const one of datesIn(plain)) this.put(`d${one}`, sighting);
    for (const one of groupedIn(plain)) this.put(`c${one}`, sighting);
    for (const one of spacedNumbersIn(plain)) if (one.length >= shortestFreeValue) this.put(`n${one}`, sighting);
    for (const [field, value] of shortFieldsIn(text.slice(0, longestText))) this.put(`f${field}=${value}`, sighting);
    if (sighting.source === 'request' || sighting.source === 'person') this.addSaidNumbers(chunks, sighting);
  }

  private addWords(kind: 'w' | 'r', chunks: readonly string[], sighting: Sighting): void {
    for (let i = 0; i < chunks.length; i++) {
      const chunk = chunks[i] ?? '';
      if (chunk.length >= shortestFreeValue) this.put(`${kind}${chunk}`, sighting);
      if (i + 1 < chunks.length) this.put(`${kind}${chunk} ${chunks[i + 1] ?? ''}`, sighting);
    }
  }

  private addForms(chunk: string, sighting: Sighting): void {
    if (!/[0-9]/.test(chunk)) return;
    const number = numberForm(chunk);
    if (number !== undefined && number.length >= shortestFreeValue) this.put(`n${number}`, sighting);
    const grouped = groupedForm(chunk);
    if (grouped !== undefined) this.put(`c${grouped}`, sighting);
  }

  /** "event 5", "limit of 10", "$25": short numbers that a person ties to a word. */
  private addSaidNumbers(chunks: readonly string[], sighting: Sighting): void {
    chunks.forEach((chunk, i) => {
      const number = numberForm(chunk);
      if (number === undefined || number.length >= shortestFreeValue) return;
      if (/[$€£¥]|[0-9][.,][0-9]{2}$/.test(chunk) || /^(?:dollars?|euros?|pounds?|yen|usd|eur|gbp|jpy|chf|円)/.test(chunks[i + 1] ?? '')) this.put(`famount=${number}`, sighting);
      for (const word of [...chunks.slice(Math.max(0, i - 3), i), chunks[i + 1] ?? '']) this.put(`f${fieldName(word)}=${number}`, sighting);
    });
  }

  private put(form: string, sighting: Sighting): void {
    const known = this.forms.get(form);
    if (known) {
      if (isReplacedBy(known.source, sighting.source)) this.forms.set(form, sighting);
      return;
    }
    if (sighting.source === 'request' || sighting.source === 'person') {
      if (this.saidForms >= mostSaidForms) return;
      this.saidForms++;
      this.forms.set(form, this.forgotten?.mayHave(form) === true ? { ...sighting, source: 'untrusted_output' } : sighting);
    } else if (this.forms.size - this.saidForms < mostForms) this.forms.set(form, sighting);
    else {
      this.full = true;
      if (isSuspect(sighting.source)) (this.forgotten ??= ForgottenForms.empty()).add(form);
    }
  }
}

/** Every form that a text's values may come back in. */
export function formsIn(text: string): readonly string[] {
  const index = new ValueIndex();
  index.addText(text, { source: 'untrusted_output', seq: 0, where: '' });
  return index.known();
}

const isSuspect = (source: Provenance): boolean => source === 'untrusted_output' || source === 'nowhere';

const rank: Readonly<Record<Provenance, number>> = { request: 0, person: 1, trusted_output: 2, policy: 3, untrusted_output: 4, nowhere: 5 };

/** Whether a later place changes what a value is worth. */
function isReplacedBy(known: Provenance, later: Provenance): boolean {
  const said = later === 'request' || later === 'person';
  if (known === 'request' || known === 'person') return false;
  // A person may say what the agent made up; that makes it theirs. What an untrusted text brought up stays suspect.
  if (said) return known === 'nowhere' || known === 'trusted_output';
  return known === 'trusted_output' && later === 'untrusted_output';
}

/** The least trusted of several; undefined for none. */
export function least(sightings: readonly Sighting[]): Sighting | undefined {
  let worst: Sighting | undefined;
  for (const one of sightings) if (!worst || rank[one.source] > rank[worst.source]) worst = one;
  return worst;
}

/** Visits scalars with their paths (`to[0]`, `where.owner`), at most 2,000 of them. Returns false when there were more. */
export function eachLeaf(value: Json, path: string, visit: (leaf: string | number | boolean | null, path: string) => void): boolean {
  let left = mostLeaves;
  const walk = (node: Json, at: string): void => {
    if (left <= 0) return;
    if (isJsonArray(node)) node.forEach((item, i) => { walk(item, `${at}[${String(i)}]`); });
    else if (isJsonObject(node)) for (const name of Object.keys(node)) walk(node[name] ?? null, at === '' ? name : `${at}.${name}`);
    else {
      left--;
      visit(node, at);
    }
  };
  walk(value, path);
  return left > 0;
}

/** Visits the names of an object's fields, however deep, at most 2,000. */
function eachName(value: Json, visit: (name: string) => void): void {
  let left = mostLeaves;
  const walk = (node: Json): void => {
    if (isJsonArray(node)) node.forEach(walk);
    else if (isJsonObject(node)) {
      for (const name of Object.keys(node)) {
        if (left-- <= 0) return;
        visit(name);
        walk(node[name] ?? null);
      }
    }
  };
  walk(value);
}

const lastField = (path: string): string => path.replace(/\[[0-9]+\]$/, '').split('.').pop() ?? path;
