import { comparePolicies } from '@/lib/policy/compare/compare-policies';
import { compilePolicy } from '@/lib/policy/compile-policy';
import { lintPolicy } from '@/lib/policy/lint-policy';
import { parsePolicy } from '@/lib/policy/parse-policy';
import { nodeSha256 } from '@/lib/server/node-sha256';

import { stock } from './engine-load';
import { enginePolicy, rulesPerDepartment } from './engine-policy';
import { benchReplay } from './replay';

const rules = 1000;

/** Changes as people make them, each to one rule of the thousand: from what to what, in the text of department 7; and one over an operation that half of the rules are about. */
const edits: Readonly<Record<string, readonly [string, string]>> = {
  bound_raised: ['id: large-7, match: { tool: dept7, operation: change, parameters: { amount: { gt: 5000 } } }', 'id: large-7, match: { tool: dept7, operation: change, parameters: { amount: { gt: 9000 } } }'],
  permission_taken: ['id: mail-7, match: { tool: email, operation: send, identity: { role: dept7 } }, action: ALLOW', 'id: mail-7, match: { tool: email, operation: send, identity: { role: dept7 } }, action: STEP_UP'],
  label_dropped: ['id: leak-7, match: { tool: [dept7, email], identity: { role: dept7 } }, context: { data_classification: { contains: [PII] }', 'id: leak-7, match: { tool: [dept7, email], identity: { role: dept7 } }, context: { data_classification: { contains: [SECRET] }'],
  denied_to_all: ['rules:\n', 'rules:\n  - { id: no-mail, priority: 900, match: { tool: email, operation: send }, action: DENY, reason: Nobody writes mail. }\n'],
};

function load(text: string): Parameters<typeof lintPolicy>[0] {
  const parsed = parsePolicy(text, { catalogue: stock, sha256: nodeSha256 });
  if (!parsed.ok) throw new Error(`The policy does not load: ${JSON.stringify(parsed.error.issues?.[0])}`);
  return parsed.value;
}

const seconds = (ms: number): number => Math.round(ms) / 1000;

/**
 * What proving a change to a large policy takes: reading both texts, the linter and the comparison, for the slowest of several changes; and
 * what taking the decisions of a log again takes. `search` says of each change what was found and how many classes were looked at.
 */
export async function benchProof({ receipts = 100_000 }: { readonly receipts?: number }): Promise<object> {
  const text = enginePolicy(rules);
  const search: Record<string, object> = {};
  let slowest = 0;
  for (const [name, [from, to]] of Object.entries(edits)) {
    const edited = text.replace(from, to);
    if (edited === text) throw new Error(`The policy has no place for ${name}.`);
    const begun = performance.now();
    const [base, next] = [load(text), load(edited)];
    lintPolicy(next);
    const compared = performance.now();
    const { change, counted, unproved } = comparePolicies(compilePolicy(base), compilePolicy(next));
    const ended = performance.now();
    slowest = Math.max(slowest, ended - begun);
    search[name] = { change, compare_s: seconds(ended - compared), classes: counted.classes, operations: counted.operations, unproved: unproved.length };
  }
  const [from, to] = edits.permission_taken ?? ['', ''];
  const replayed = await benchReplay({ receipts, departments: rules / rulesPerDepartment, base: compilePolicy(load(text)), proposed: compilePolicy(load(text.replace(from, to))) });
  return { rules, proof_s: seconds(slowest), receipts: replayed.receipts, replay_s: replayed.replay_s, search, replay: replayed };
}
