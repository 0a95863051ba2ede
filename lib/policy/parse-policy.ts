import { lexiconDigest, lexiconVersion } from '@/lib/context/lexicon';
import type { CompiledPolicy, PolicySettings } from '@/lib/engine/policy';
import type { Rule } from '@/lib/engine/rule';
import type { Catalogue } from '@/lib/mediate/catalogue';
import { extendCatalogue, type ToolExtension } from '@/lib/mediate/extend';
import { digestOf, utf8, type Sha256 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { buildRule } from './build-rule';
import { Diagnostics, toIssues, type Path } from './diagnostics';
import { documentSchema, ruleSchema, type PolicyDocument } from './document-schema';
import { readText, type PolicyFormat } from './read-text';
import type { ReadText } from './read-yaml';
import { settingsOf } from './settings-of';
import { addZodIssues } from './zod-diagnostics';

export type ParseOptions = {
  /** Left out: YAML. */
  readonly format?: PolicyFormat;
  /** The stock catalogue that `use` has to name. */
  readonly catalogue: Catalogue;
  readonly sha256: Sha256;
};

/** A policy that was read without a single problem. */
export type ParsedPolicy = {
  readonly settings: PolicySettings;
  readonly catalogue: Catalogue;
  readonly rules: readonly Rule[];
  /** SHA-256 of the exact bytes, prose included. */
  readonly digest: Digest;
  readonly tables: CompiledPolicy['tables'];
  /** For tools that look further than the engine: line and column of a path. */
  readonly locate: ReadText['locate'];
  /** Place of each rule in the text, by id. */
  readonly places: ReadonlyMap<string, Path>;
};

/** Reads a policy. `policy_invalid` carries every problem at once, each with line, column, path and, where there is one, a fix. */
export function parsePolicy(text: string, options: ParseOptions): Result<ParsedPolicy> {
  const { read, issues } = readText(text, options.format ?? 'yaml');
  if (!read) return fail('policy_invalid', 'The policy cannot be read.', { issues });
  const diagnostics = new Diagnostics();
  const document = readDocument(read, diagnostics);
  const rawRules = rulesOf(read);
  const catalogue = document ? checkCatalogue(document, options.catalogue, diagnostics) : options.catalogue;
  const rules: Rule[] = [];
  const places = new Map<string, Path>();
  rawRules.forEach((raw, i) => {
    const path: Path = ['rules', i];
    const parsed = ruleSchema.safeParse(raw);
    if (!parsed.success) {
      addZodIssues(parsed.error.issues, path, knownKeys, diagnostics);
      return;
    }
    const hasDomains = document ? document.directory.internal_domains !== undefined : true;
    const rule = buildRule(parsed.data, path, catalogue, hasDomains, diagnostics);
    if (places.has(rule.id)) diagnostics.add([...path, 'id'], `There is another rule ${rule.id}.`, 'Give each rule an id of its own.');
    places.set(rule.id, path);
    rules.push(rule);
  });
  if (!document || diagnostics.found.length > 0) {
    return fail('policy_invalid', 'The policy has problems.', { issues: toIssues(diagnostics.found, read.locate) });
  }
  const tables = [
    { name: options.catalogue.name, version: options.catalogue.version, digest: options.catalogue.digest },
    { name: 'lexicon', version: lexiconVersion, digest: lexiconDigest(options.sha256) },
  ];
  return ok({ settings: settingsOf(document), catalogue, rules, digest: digestOf(options.sha256, utf8(text)), tables, locate: read.locate, places });
}

const knownKeys = [...Object.keys(documentSchema.shape), ...Object.keys(ruleSchema.shape), 'tool', 'operation', 'effect', 'parameters', 'identity'];

function readDocument({ value }: ReadText, diagnostics: Diagnostics): PolicyDocument | null {
  const parsed = documentSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  addZodIssues(parsed.error.issues, [], knownKeys, diagnostics);
  return null;
}

function rulesOf({ value }: ReadText): readonly unknown[] {
  const rules: unknown = typeof value === 'object' && value !== null && 'rules' in value ? value.rules : [];
  return Array.isArray(rules) ? rules.slice(0, 10_000) : [];
}

function checkCatalogue(document: PolicyDocument, base: Catalogue, diagnostics: Diagnostics): Catalogue {
  const wanted = `${base.name}@${String(base.version)} sha256:${base.digest}`;
  if (document.use !== wanted) diagnostics.add(['use'], `This is not the catalogue that is here, ${base.name}@${String(base.version)}.`, `Write use: ${wanted}`);
  const extended = extendCatalogue(base, document.tools.map(toolOf));
  if (extended.ok) return extended.value;
  for (const issue of extended.error.issues ?? []) diagnostics.add(pathOf(issue.path), issue.message, issue.fix);
  return base;
}

/** Only what is stated: a field that is left out keeps the stock entry's. */
function toolOf(tool: PolicyDocument['tools'][number]): ToolExtension {
  const { grant, parameters, ...rest } = tool;
  return {
    name: tool.name,
    ...definedOnly(rest),
    ...(grant === undefined ? {} : { grant: grant === 'required' }),
    ...(parameters === undefined ? {} : { parameters: Object.fromEntries(Object.entries(parameters).map(([name, spec]) => [name, { type: spec.type, ...definedOnly(spec) }])) }),
  };
}

type Defined<T> = { [Key in keyof T]: Exclude<T[Key], undefined> };

function definedOnly<T extends object>(value: T): Partial<Defined<T>> {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as Partial<Defined<T>>;
}

/** `tools[2].name` → `['tools', 2, 'name']`. */
const pathOf = (text: string): Path => text.split(/[.[\]]+/).filter((part) => part !== '').map((part) => (/^\d+$/.test(part) ? Number(part) : part));
