import { lexiconDigest, lexiconVersion } from '@/lib/context/lexicon';
import type { CompiledPolicy, PolicySettings } from '@/lib/engine/policy';
import type { Rule } from '@/lib/engine/rule';
import { timeZonesDigest, timeZonesVersion } from '@/lib/engine/time-zones';
import type { Catalogue } from '@/lib/mediate/catalogue';
import { extendCatalogue, type ToolExtension } from '@/lib/mediate/extend';
import { digestOf, utf8, type Sha256 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { buildParts, buildRule } from './build-rule';
import { Diagnostics, inOrder, toIssues, type Path } from './diagnostics';
import { documentSchema, ruleSchema, toolSchema, type PolicyDocument } from './document-schema';
import { readText, type PolicyFormat } from './read-text';
import type { ReadText } from './read-yaml';
import { canonicalKey } from './policy-names';
import { salvageRule } from './salvage-rule';
import { settingsOf } from './settings-of';
import { testsOf } from './tests-of';
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
  /** Operations that the policy itself describes, with their places in the text. */
  readonly ownTools: readonly { readonly key: string; readonly path: Path }[];
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
  if (document) checkUse(document, options.catalogue, diagnostics);
  const catalogue = extended(options.catalogue, document?.tools ?? readableTools(read), diagnostics);
  const rules: Rule[] = [];
  const places = new Map<string, Path>();
  rawRules.forEach((raw, i) => {
    const path: Path = ['rules', i];
    const parsed = ruleSchema.safeParse(raw);
    const hasDomains = document ? document.directory.internal_domains !== undefined : true;
    if (!parsed.success) addZodIssues(parsed.error.issues, path, { value: raw, known: knownKeys }, diagnostics);
    const readable = parsed.success ? parsed.data : salvageRule(raw, parsed.error.issues);
    if (!readable) return;
    if (readable.id !== '' && places.has(readable.id)) diagnostics.add([...path, 'id'], `There is another rule ${readable.id}.`, 'Give each rule an id of its own.');
    places.set(readable.id, path);
    const build = parsed.success ? buildRule : buildParts;
    rules.push(build(readable, path, catalogue, hasDomains, diagnostics));
  });
  if (!document || diagnostics.found.length > 0 || issues.length > 0) {
    return fail('policy_invalid', 'The policy has problems.', { issues: inOrder([...issues, ...toIssues(diagnostics.found, read.locate)]) });
  }
  const tables = tablesOf(options, rules);
  const ownTools = document.tools.map(({ name }, i) => ({ key: canonicalKey(name, options.catalogue), path: ['tools', i] }));
  return ok({ settings: settingsOf(document), catalogue, rules, digest: digestOf(options.sha256, utf8(text)), tables, locate: read.locate, ownTools, places });
}

/** What the rules are decided with. Time zones only where a rule reads a time: another release of them changes nothing for the rest. */
function tablesOf({ catalogue, sha256 }: ParseOptions, rules: readonly Rule[]): CompiledPolicy['tables'] {
  const readsTime = rules.some(({ applies, context }) => [...testsOf(applies), ...testsOf(context)].some(({ field }) => field.of === 'time'));
  return [
    { name: catalogue.name, version: catalogue.version, digest: catalogue.digest },
    { name: 'lexicon', version: lexiconVersion, digest: lexiconDigest(sha256) },
    ...(readsTime ? [{ name: 'time-zones', version: timeZonesVersion, digest: timeZonesDigest(sha256) }] : []),
  ];
}

const knownKeys = [...Object.keys(documentSchema.shape), ...Object.keys(ruleSchema.shape), 'tool', 'operation', 'effect', 'parameters', 'identity'];

function readDocument({ value }: ReadText, diagnostics: Diagnostics): PolicyDocument | null {
  const parsed = documentSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  addZodIssues(parsed.error.issues, [], { value, known: knownKeys }, diagnostics);
  return null;
}

function rulesOf({ value }: ReadText): readonly unknown[] {
  const rules: unknown = typeof value === 'object' && value !== null && 'rules' in value ? value.rules : [];
  return Array.isArray(rules) ? rules.slice(0, 10_000) : [];
}

function checkUse(document: PolicyDocument, base: Catalogue, diagnostics: Diagnostics): void {
  const wanted = `${base.name}@${String(base.version)} sha256:${base.digest}`;
  if (document.use !== wanted) diagnostics.add(['use'], `This is not the catalogue that is here, ${base.name}@${String(base.version)}.`, `Write use: ${wanted}`);
}

type Tools = PolicyDocument['tools'];

/** With the policy's own tools; where some are wrong, with the others, so that rules about those are not told to be wrong too. */
function extended(base: Catalogue, tools: Tools, diagnostics: Diagnostics): Catalogue {
  const whole = extendCatalogue(base, tools.map(toolOf));
  if (whole.ok) return whole.value;
  const wrong = new Set<unknown>();
  for (const issue of whole.error.issues ?? []) {
    const path = pathOf(issue.path);
    wrong.add(path[1]);
    diagnostics.add(path, issue.message, issue.fix ?? 'Give it another name.');
  }
  const rest = extendCatalogue(base, tools.filter((_, i) => !wrong.has(i)).map(toolOf));
  return rest.ok ? rest.value : base;
}

/** Those of a document with problems that can be read by themselves. */
function readableTools({ value }: ReadText): Tools {
  const tools: unknown = typeof value === 'object' && value !== null && 'tools' in value ? value.tools : [];
  return Array.isArray(tools) ? tools.slice(0, 2000).flatMap((tool: unknown) => toolSchema.safeParse(tool).data ?? []) : [];
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
