import { enginePolicy, rulesPerDepartment } from './engine-policy';
import { withReplayLog } from './replay';
import { timeProof, type TimedProof } from './time-proof';

const rules = 1000;
const fewRules = 100;

/** Changes as people make them, each to one rule of department 7: in the line of which rule, from what to what. Half of all rules are about the mail that most of them are about. */
const edits: Readonly<Record<string, readonly [rule: string, from: string, to: string]>> = {
  bound_raised: ['large-7', 'gt: 5000', 'gt: 9000'],
  permission_taken: ['mail-7', 'action: ALLOW', 'action: STEP_UP'],
  label_dropped: ['leak-7', '[PII]', '[SECRET]'],
  rule_removed: ['leak-7', '', ''],
  count_within: ['burst-7', 'gt: 20, within: 1m', 'gt: 50, within: 10m'],
  priority_moved: ['change-7', 'action: ALLOW', 'action: ALLOW, priority: 250'],
  denied_to_all: ['look-0', '  - ', '  - { id: no-mail, priority: 900, match: { tool: email, operation: send }, action: DENY, reason: Nobody writes mail. }\n  - '],
};

function edited(text: string, [rule, from, to]: readonly [string, string, string]): string {
  const changed = text.replace(new RegExp(`^  - \\{ id: ${rule},.*\n`, 'm'), (line) => (from === '' ? '' : line.replace(from, to)));
  if (changed === text) throw new Error(`The policy has no place for a change to ${rule}.`);
  return changed;
}

/**
 * What proving a change to a large policy takes, for the slowest of several changes, and what taking the decisions of a log again takes: both in the thread that
 * the console starts for each proof. Beside them what they are compared with in the same run: the same changes to a policy of a tenth of the rules, and
 * walking the same log without deciding.
 */
export async function benchProof({ receipts = 100_000 }: { readonly receipts?: number }): Promise<object> {
  const [text, few] = [enginePolicy(rules), enginePolicy(fewRules)];
  return withReplayLog({ receipts, departments: rules / rulesPerDepartment, text }, async (replay) => {
    const proofs: Record<string, object> = {};
    const [all, small]: [TimedProof[], TimedProof[]] = [[], []];
    for (const [name, edit] of Object.entries(edits)) {
      const timed = await timeProof(text, edited(text, edit));
      all.push(timed);
      small.push(await timeProof(few, edited(few, edit)));
      proofs[name] = told(name, timed);
    }
    const [proof_s, few_s] = [slowest(all), slowest(small)];
    const replayed = await replay(edited(text, edits['permission_taken'] ?? ['', '', '']));
    return {
      rules, proof_s, proof_cpu_s: Math.max(...all.map(({ cpu_s }) => cpu_s)), receipts, replay_s: replayed.replay_s,
      few_rules: fewRules, few_rules_proof_s: few_s, proof_ratio: ratio(proof_s, few_s), proofs, replay: replayed,
    };
  });
}

const slowest = (timed: readonly TimedProof[]): number => Math.max(...timed.map(({ seconds }) => seconds));
export const ratio = (of: number, to: number): number => Math.round((100 * of) / to) / 100;

function told(name: string, { proof, seconds, cpu_s, began }: TimedProof): object {
  const { change, counted, unproved } = proof.comparison;
  if (change === 'none') throw new Error(`${name} changes nothing, so that it measures nothing.`);
  return { change, classes: counted.classes, operations: counted.operations, unproved: unproved.length, seconds, cpu_s, began };
}
