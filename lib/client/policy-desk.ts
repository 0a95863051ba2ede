import type { Catalogue } from '@/lib/mediate/catalogue';
import { stockCatalogue } from '@/lib/mediate/stock';
import { completePolicy } from '@/lib/policy/assist/complete-policy';
import { explainWord } from '@/lib/policy/assist/explain-word';
import type { KnownNames } from '@/lib/policy/assist/known-names';
import { policySchema } from '@/lib/policy/assist/schema-at';
import { compilePolicy } from '@/lib/policy/compile-policy';
import { lintPolicy } from '@/lib/policy/lint-policy';
import { parsePolicy, type ParsedPolicy } from '@/lib/policy/parse-policy';
import { parsePolicyTests, placesOfTests, runPolicyTests } from '@/lib/policy/policy-tests';
import { bounds } from '@/lib/shared/bounds';
import { utf8 } from '@/lib/shared/encoding';
import { fail, type Fault, type Result } from '@/lib/shared/result';

import { sha256 } from './hash';
import type { CheckedText, DeskAnswer, DeskRequest, DeskTool, PolicyTextAsked, Problem, TestedText, WorkspaceNames } from './policy-desk-messages';
import { simulateCall } from './simulate-call';

/** Reads, checks, completes and tries policies. Remembers the text that it read last, so that one keystroke is not read four times. */
export class PolicyDesk {
  private readonly catalogue: Catalogue = stockCatalogue(sha256);
  private readonly schema = policySchema();
  private last: { readonly asked: PolicyTextAsked; readonly parsed: Result<ParsedPolicy> } | null = null;
  /** Of the last text that loaded: a text that is being typed in mostly does not. */
  private loaded: Pick<ParsedPolicy, 'catalogue' | 'settings'> | null = null;

  answer(request: DeskRequest): DeskAnswer {
    switch (request.kind) {
      case 'check':
        return { kind: 'check', value: this.check(request, request.tests, request.names) };
      case 'complete':
        return { kind: 'complete', value: completePolicy(request, this.schema, this.names(request.names)) };
      case 'explain':
        return { kind: 'explain', value: explainWord(request, this.schema, this.names(request.names)) };
      case 'test':
        return { kind: 'test', value: this.test(request, request.tests) };
      case 'simulate':
        return { kind: 'simulate', value: simulateCall(request, (asked) => this.parse(asked)) };
    }
  }

  private check(asked: PolicyTextAsked, tests: string, { groups }: WorkspaceNames): CheckedText {
    const parsed = this.parse(asked);
    const cases = tests.trim() === '' ? null : parsePolicyTests(tests);
    const findings = parsed.ok ? lintPolicy(parsed.value, { groups: groups.map(({ name }) => name) }) : [];
    return {
      policy: parsed.ok ? findings.map(({ code, path, message, fix, line, column }) => ({ severity: 'warning', code, path, message, fix, line, column })) : problemsOf(parsed.error),
      tests: cases === null || cases.ok ? [] : problemsOf(cases.error),
      rules: parsed.ok ? parsed.value.rules.length : null,
      cases: cases?.ok === true ? cases.value.length : null,
      tools: toolsOf(this.loaded?.catalogue ?? this.catalogue),
    };
  }

  private test(asked: PolicyTextAsked, tests: string): TestedText {
    const parsed = this.parse(asked);
    if (!parsed.ok) return { cases: [], fault: 'policy' };
    const cases = parsePolicyTests(tests);
    if (!cases.ok) return { cases: [], fault: 'tests' };
    const places = placesOfTests(tests, cases.value.length);
    const results = runPolicyTests(cases.value, compilePolicy(parsed.value));
    return {
      fault: null,
      cases: results.map(({ name, passed, wrong, decision }, at) => ({ name, passed, wrong, ...(places[at] ?? { line: 1, column: 1 }), decision: decision?.decision ?? null })),
    };
  }

  private parse(asked: PolicyTextAsked): Result<ParsedPolicy> {
    const { text, format } = asked;
    if (this.last?.asked.text === text && this.last.asked.format === format) return this.last.parsed;
    const size = utf8(text).length;
    const parsed = size > bounds.policyBytes
      ? fail('policy_invalid', `The text has ${String(size)} bytes; a policy has at most ${String(bounds.policyBytes)}.`)
      : parsePolicy(text, { format, catalogue: this.catalogue, sha256 });
    this.last = { asked: { text, format }, parsed };
    if (parsed.ok) this.loaded = parsed.value;
    return parsed;
  }

  private names({ groups, agents }: WorkspaceNames): KnownNames {
    return { catalogue: this.loaded?.catalogue ?? this.catalogue, groups, agents, information: [...(this.loaded?.settings.information.keys() ?? [])] };
  }
}

const problemsOf = ({ code, detail, issues }: Fault): readonly Problem[] =>
  (issues ?? [{ path: '', message: detail }]).map(({ path, message, fix, line, column }) => ({ severity: 'error', code, path, message, fix: fix ?? null, line: line ?? 1, column: column ?? 1 }));

function toolsOf({ entries }: Catalogue): readonly DeskTool[] {
  const tools = new Map<string, DeskTool['operations'][number][]>();
  for (const { tool, operation, effect, impact, parameters } of entries.values()) {
    const list = tools.get(tool) ?? [];
    tools.set(tool, list);
    list.push({ name: operation, effect, impact, parameters: Object.entries(parameters).map(([name, { type, optional, role }]) => ({ name, type, optional: optional === true, role: role ?? null })) });
  }
  return [...tools].map(([name, operations]) => ({ name, operations })).sort((a, b) => (a.name < b.name ? -1 : 1));
}
