import { isJsonArray, type Json, type JsonObject } from '@/lib/shared/json';

import type { ActionFacts, ProgramFact } from './action';
import { analyseCommand } from './analyse-command';
import { analyseQuery } from './analyse-query';
import type { CatalogueEntry, Effect, ParameterRole } from './catalogue';
import { effectOf } from './effect-of';
import { isCertainPath, normalisePath } from './normalise-path';
import { parseRecipients } from './parse-recipients';
import { parseUrl, type UrlFact } from './parse-url';
import { effectsOfPrograms } from './program-effects';
import { guessWindowsPrograms, isWindowsShell } from './windows-command';

const none: readonly never[] = [];

/**
 * What the roles of the parameters establish. Parsers run only for parameters that have such a role. A parameter whose
 * value a parser does not fully understand is named in `opaque`; what it did understand is listed all the same, so
 * that rules which forbid still see it. A query that could write is opaque to an operation that only reads, and counts as what it does.
 */
export function deriveFacts(entry: CatalogueEntry, parameters: JsonObject): ActionFacts {
  const found = new FactGatherer(entry, parameters);
  for (const name of Object.keys(entry.parameters)) {
    const role = entry.parameters[name]?.role;
    if (role === undefined || !Object.hasOwn(parameters, name)) continue;
    const value = parameters[name];
    if (value === undefined || value === null) continue;
    for (const one of isJsonArray(value) ? value : [value]) if (!found.take(role, one)) found.opaque.add(name);
  }
  return found.facts();
}

class FactGatherer {
  readonly opaque = new Set<string>();
  private readonly targets: string[] = [];
  private readonly recipients: string[] = [];
  private readonly paths: string[] = [];
  private readonly urls: UrlFact[] = [];
  private readonly programs: ProgramFact[] = [];
  private readonly tables: string[] = [];
  private readonly amounts: number[] = [];
  private readonly shown = new Set<Effect>();

  constructor(
    private readonly entry: CatalogueEntry,
    private readonly parameters: JsonObject,
  ) {}

  /** False: not fully understood. */
  take(role: ParameterRole, value: Json): boolean {
    switch (role) {
      case 'target':
        if (typeof value !== 'string' && typeof value !== 'number') return false;
        this.targets.push(String(value).normalize('NFC'));
        return !/[\p{Cc}\p{Cf}]/u.test(String(value));
      case 'amount':
        if (typeof value !== 'number') return false;
        this.amounts.push(value);
        return true;
      case 'recipients': {
        const addresses = typeof value === 'string' ? parseRecipients(value) : undefined;
        this.recipients.push(...(addresses ?? none));
        return addresses !== undefined;
      }
      case 'path': {
        const path = typeof value === 'string' ? normalisePath(value) : undefined;
        if (path !== undefined) this.paths.push(path);
        return path !== undefined && isCertainPath(path);
      }
      case 'url': {
        const url = typeof value === 'string' ? parseUrl(value) : undefined;
        if (url) this.urls.push(url);
        return url !== undefined;
      }
      case 'query': {
        if (typeof value !== 'string') return false;
        const query = analyseQuery(value);
        this.tables.push(...query.tables);
        this.shown.add(query.effect);
        return query.whole && (query.effect === 'read' || this.entry.effect !== 'read');
      }
      case 'command':
        return typeof value === 'string' && this.command(value);
    }
  }

  facts(): ActionFacts {
    const target = this.target();
    const { effects, effect, impact } = effectOf(this.entry, this.shown);
    const { urls, programs, amounts } = this;
    const [recipients, paths, tables] = [distinct(this.recipients), distinct(this.paths), distinct(this.tables)];
    const opaque = this.opaque.size === 0 ? none : [...this.opaque].sort();
    // Written out: every mediated and every modified action passes here, and objects of two shapes are read fastest.
    return target === undefined
      ? { effects, effect, impact, recipients, paths, urls, programs, tables, amounts, opaque }
      : { effects, effect, impact, target: `${this.entry.tool}:${target}`, recipients, paths, urls, programs, tables, amounts, opaque };
  }

  private command(text: string): boolean {
    if (isWindowsShell(`${this.entry.tool}.${this.entry.operation}`)) {
      const programs = guessWindowsPrograms(text);
      this.programs.push(...programs);
      for (const effect of effectsOfPrograms(programs)) this.shown.add(effect);
      return false;
    }
    const cwd = Object.hasOwn(this.parameters, 'cwd') ? this.parameters.cwd : undefined;
    const analysis = analyseCommand(text, typeof cwd === 'string' ? normalisePath(cwd) : undefined);
    this.programs.push(...analysis.programs);
    this.paths.push(...analysis.paths);
    this.urls.push(...analysis.urls);
    for (const effect of effectsOfPrograms(analysis.programs)) this.shown.add(effect);
    return !analysis.opaque;
  }

  /** The target parameters when there are any; else the one path, table, URL's host or recipient that stands for it. */
  private target(): string | undefined {
    if (this.targets.length > 0) return this.targets.join('.');
    for (const only of [this.paths, this.tables, this.urls.map((url) => url.host), this.recipients]) {
      if (only.length > 0) return only.length === 1 && this.programs.length === 0 ? only[0] : undefined;
    }
    return undefined;
  }
}

const distinct = (values: readonly string[]): readonly string[] => (values.length < 2 ? values : [...new Set(values)]);
