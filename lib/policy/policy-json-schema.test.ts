import fs from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';

import { issuesOf, policyText, useStock } from '@/lib/testing/engine-fixtures';

import { policyJsonSchema } from './policy-json-schema';
import { formatOf, readText, type PolicyFormat } from './read-text';

const root = path.resolve(import.meta.dirname, '../..');
const published = JSON.parse(fs.readFileSync(path.join(root, 'public/schema/policy-v1.json'), 'utf8')) as object;
const accepts = new Ajv2020({ strict: false, allErrors: true }).compile(published);

/** What an editor would underline. */
function underlined(text: string, format: PolicyFormat = 'yaml'): readonly string[] {
  const { read, issues } = readText(text, format);
  if (!read) throw new Error(JSON.stringify(issues));
  accepts(read.value);
  return (accepts.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
}

describe('the published JSON Schema', () => {
  test('is what the reader’s own schema gives; else run: npx tsx lib/testing/write-policy-schema.ts', () => {
    expect(published).toEqual(JSON.parse(JSON.stringify(policyJsonSchema())));
  });

  const shipped = fs.readdirSync(path.join(root, 'policies'), { recursive: true, encoding: 'utf8' }).filter((name) => /^[^/]*\.(?:yaml|md)$/.test(name) && !name.endsWith('.test.yaml') && name !== 'README.md');

  test.each(shipped)('takes %s', (name) => {
    expect(underlined(fs.readFileSync(path.join(root, 'policies', name), 'utf8'), formatOf(name))).toEqual([]);
  });

  test('takes every form of the language', () => {
    const text = policyText(`  - id: a
    match: { tool: [email, db], operation: "*", effect: [read, communicate, destructive], parameters: { to: { external: true }, where.owner: ada, limit: { gt: 5, lte: 10, not: { in: [1] } } }, identity: { role: [x], delegation: { exists: true } } }
    context:
      prior_actions: { contains: [database.query] }
      data_classification: { higher_than: INTERNAL }
      user_intent: [cleanup, delete]
      target_ownership: { not: { owned_by: requesting_user } }
      recipient: { domain_in: corp.example, attributes: { clearance: high } }
      provenance: { to: [untrusted output, nowhere], "*": { in: [nowhere] } }
      count: { tool: email, operation: send, gt: 5, within: 10m }
      velocity: { gt: 1, within: 1m }
      volume: { gte: 2 }
      elapsed: { gt: 1h30m }
      sequence: { steps: [{ tool: database, label: PII }, { effect: communicate }], within: 1h }
      time_window: { not: [{ zone: Europe/Berlin, days: [mon-fri], from: "08:00", to: "18:00" }, { zone: UTC, dates: 2030-12-24 }] }
      risk_signals: { injection: { gt: 0.5 } }
      attributes: { criticality: { in: [high] } }
    when: tool == "email"
    action: STEP_UP
    approvers: [a, b]
    all_groups: true
    quorum: 2
    timeout: 10m
    escalate: { to: [c], after: 5m }
    obligations: { sandbox: no-network, redact_output: [SECRET], rate: { max: 10, within: 1m } }
    priority: 250
  - { id: b, match: { tool: database, operation: delete }, action: MODIFY, modify: [{ set: parameters.table, to: x }, { cap: parameters.limit, at: 100 }, { add_filter: parameters.where, and: "tenant = 1" }] }
  - { id: c, match: { tool: email, operation: send }, action: MODIFY, modify: [{ redact: parameters.body, what: [PII] }, { drop: parameters.bcc }, { restrict: parameters.to, to: internal }] }
  - { id: d, match: { tool: files }, action: DEFER, context_needed: [target_ownership], timeout: 5m }
  - { id: e, match: { tool: shell }, action: DENY, classification: forbidden, opaque: STEP_UP, reason: x, guidance: y }`, 'directory: { internal_domains: [corp.example] }\ninformation: { owner: { from: ["ip:records"], max_age: 5m }, clearance: { from: ["ip:people"] }, criticality: { from: ["ip:records"] } }');
    expect(issuesOf(text)).toEqual([]);
    expect(underlined(text)).toEqual([]);
  });

  test.each([
    ['an unknown key', policyText('  - { id: a, mach: { tool: email }, action: DENY }'), '/rules/0'],
    ['an unknown action', policyText('  - { id: a, match: { tool: email }, action: REFUSE }'), '/rules/0/action'],
    ['an unknown operator', policyText('  - { id: a, match: { tool: email, parameters: { to: { contians: x } } }, action: DENY }'), '/rules/0/match/parameters/to'],
    ['an unknown predicate', policyText('  - { id: a, match: { tool: email }, context: { weather: wet }, action: DENY }'), '/rules/0/context'],
    ['an unknown zone', policyText('  - { id: a, match: { tool: email }, context: { time_window: { zone: Mars/Olympus, days: [mon] } }, action: DENY }'), '/rules/0/context/time_window'],
    ['a risk that is no share', policyText('  - { id: a, match: { tool: email }, context: { risk_signals: { injection: { gt: 50 } } }, action: DENY }'), '/rules/0/context/risk_signals/injection/gt'],
    ['a time that is none', policyText('', 'approvals: { timeout: soon }'), '/approvals/timeout'],
    ['a change that is none', policyText('  - { id: a, match: { tool: email }, action: MODIFY, modify: [{ shorten: parameters.body }] }'), '/rules/0/modify/0'],
    ['a missing id', `schema: countersign/policy/v1\n${useStock}\n`, ''],
  ])('underlines %s, which does not load either', (_, text, place) => {
    expect(underlined(text).join('\n')).toContain(`${place} `);
    expect(issuesOf(text)).not.toEqual([]);
  });
});
