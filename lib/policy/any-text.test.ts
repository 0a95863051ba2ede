import fc from 'fast-check';
import { expect, test } from 'vitest';

import { nodeSha256 } from '@/lib/testing/node-crypto';
import { stock, useStock } from '@/lib/testing/engine-fixtures';

import { compilePolicy } from './compile-policy';
import { lintPolicy } from './lint-policy';
import { parsePolicy } from './parse-policy';
import { policyFormats } from './read-text';

const whole = `schema: countersign/policy/v1
id: production
${useStock}
defaults: { decision: DENY, unclassified: RESTRICTED }
confidence: { high: 0.75, low: 0.40, defer_below: 0.50 }
information: { owner: { from: ["ip:records"], max_age: 5m } }
directory: { internal_domains: [corp.example] }
tools:
  - { name: crm.export, effect: read, impact: medium, parameters: { id: { type: string, role: target } }, labels: [{ reads: customers, add: [PII] }] }
rules:
  - id: a
    match: { tool: [database, crm], operation: "*", parameters: { limit: { gt: 5, not: { in: [7] } }, where.owner: ada }, identity: { role: [x] } }
    context:
      user_intent: { contains: [cleanup, delete] }
      recipient: { external: true, attributes: { owner: bob } }
      sequence: { steps: [{ tool: database, label: PII }, { effect: communicate }], within: 1h }
      time_window: { not: [{ zone: Europe/Berlin, days: [mon-fri], from: "08:00", to: "18:00" }] }
      volume: { of: amounts, gt: 5, within: 1h }
    when: 'parameters.limit <= 1000 && !(tool == "crm") || has(context.owner)'
    action: STEP_UP
    approvers: [data-owner]
    escalate: { to: [b], after: 5m }
    priority: 250
  - { id: b, match: { tool: email, operation: send }, action: MODIFY, modify: [{ redact: parameters.body, what: [PII] }, { restrict: parameters.to, to: internal }] }
`;

/** The text with some stretches replaced by what hurts most: other parts of itself, signs of the formats, nothing. */
const damaged = fc
  .array(fc.record({ at: fc.nat(whole.length), length: fc.nat(40), to: fc.oneof(fc.nat(whole.length).map((from) => whole.slice(from, from + 25)), fc.constantFrom('', '{', '}', '[', ']', ': ', '\n', '- ', '"', "'", '&a ', '*a', '!!x ', '|', '<<: ', 'null', '1e999', '0x1', '~', '\u202E', '```', '#', ',', '__proto__: 1')) }), { minLength: 1, maxLength: 4 })
  .map((edits) => edits.reduce((text, { at, length, to }) => text.slice(0, at) + to + text.slice(at + length), whole));

/** Another letter somewhere: most of these load. */
const scratched = fc.tuple(fc.nat(whole.length - 1), fc.constantFrom('a', '5', '-', '.')).map(([at, to]) => (/[a-z0-9]/.test(whole[at] ?? '') ? whole.slice(0, at) + to + whole.slice(at + 1) : whole));

const texts = fc.oneof({ weight: 6, arbitrary: damaged }, { weight: 2, arbitrary: scratched }, { weight: 1, arbitrary: fc.json() }, { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) });

test('the undamaged text loads', () => {
  const parsed = parsePolicy(whole, { catalogue: stock, sha256: nodeSha256 });
  expect(parsed.ok ? [] : parsed.error.issues).toEqual([]);
});

test('any text is a policy or is told why not, each time with a place and a fix', () => {
  let loaded = 0;
  let refused = 0;
  fc.assert(
    fc.property(texts, fc.constantFrom(...policyFormats, 'yaml' as const, 'yaml' as const), (text, format) => {
      const parsed = parsePolicy(text, { format, catalogue: stock, sha256: nodeSha256 });
      if (parsed.ok) {
        loaded += 1;
        expect(compilePolicy(parsed.value).rules.length).toBe(parsed.value.rules.length);
        for (const finding of lintPolicy(parsed.value)) expect([finding.line > 0, finding.fix !== '']).toEqual([true, true]);
        return;
      }
      refused += 1;
      const { issues = [] } = parsed.error;
      expect(issues.length).toBeGreaterThan(0);
      for (const { line = 0, column = 0, fix = '', message } of issues) expect([line > 0, column > 0, fix !== '', message !== '']).toEqual([true, true, true, true]);
    }),
    { numRuns: 800, seed: 4 },
  );
  expect([loaded > 20, refused > 300]).toEqual([true, true]);
}, 120_000);
