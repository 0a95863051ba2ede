import { describe, expect, test } from 'vitest';

import { policyText, stock } from '@/lib/testing/engine-fixtures';
import { nodeSha256 } from '@/lib/testing/node-crypto';

import { lintPolicy, type LintOptions } from './lint-policy';
import { parsePolicy } from './parse-policy';

function found(rules: string, header = '', options: LintOptions = {}): readonly string[] {
  const parsed = parsePolicy(policyText(rules, header), { catalogue: stock, sha256: nodeSha256 });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error.issues));
  return lintPolicy(parsed.value, options).map((finding) => `${finding.rule ?? '-'} ${finding.code}`);
}

describe('the linter names', () => {
  test('nothing in a policy that means what it says', () => {
    expect(found('  - { id: a, match: { tool: files, operation: read }, action: ALLOW }')).toEqual([]);
  });

  test.each([
    ['a rule that can never match', '  - { id: a, match: { tool: fles }, action: DENY }', 'a never_matches'],
    ['a rule whose conditions exclude each other', '  - { id: a, match: { tool: payments, operation: transfer, parameters: { amount: { gt: 10, lt: 5 } } }, action: DENY }', 'a never_matches'],
    ['a value that a second condition excludes', `  - { id: a, match: { tool: payments, operation: transfer, parameters: { currency: [EUR, USD] } }, when: 'parameters.currency == "CHF"', action: DENY }`, 'a never_matches'],
    ['a comparison of what must be absent', '  - { id: a, match: { tool: database, operation: delete, parameters: { limit: { exists: false, gt: 5 } } }, action: DENY }', 'a never_matches'],
    ['a number that is compared with a text', '  - { id: a, match: { tool: payments, operation: transfer, parameters: { amount: "100" } }, action: DENY }', 'a never_matches'],
    ['a pattern on a number', '  - { id: a, match: { tool: payments, operation: transfer, parameters: { amount: { matches: "^9" } } }, action: DENY }', 'a never_matches'],
    ['recipients of what nobody receives', '  - { id: a, match: { tool: files, operation: read }, context: { recipient: { external: true } }, action: DENY }', 'a never_matches'],
    ['an owner of what names no target', '  - { id: a, match: { tool: calendar, operation: list }, context: { target_ownership: { owned_by: requesting_user } }, action: ALLOW }', 'a never_matches'],
    ['another tool in the when', `  - { id: a, match: { tool: files }, when: 'tool == "email"', action: DENY }`, 'a never_matches'],
    ['a sequence that ends with something else', '  - { id: a, match: { tool: email, operation: send }, context: { sequence: { steps: [{ tool: email }, { tool: database, operation: query }] } }, action: DENY }', 'a never_matches'],
    ['a count of nothing', '  - { id: a, match: { tool: email }, context: { count: { tool: emial, gt: 5 } }, action: DENY }', 'a never_matches'],
    ['a prior action that there is not', '  - { id: a, match: { tool: email }, context: { prior_actions: { contains: [database.qeury] } }, action: DENY }', 'a no_such_action'],
    ['a rule that a higher one with a wider condition shadows', '  - { id: a, match: { tool: payments, operation: transfer, parameters: { amount: { gt: 1000 } } }, action: STEP_UP }\n  - { id: b, match: { tool: payments, parameters: { amount: { gte: 500 } } }, action: DENY }', 'a shadowed'],
    ['an allow by context that never gets past a higher deny', '  - { id: a, match: { tool: files, operation: delete }, context: { user_intent: [delete] }, action: ALLOW }\n  - { id: b, match: { tool: files }, action: DENY }', 'a shadowed'],
    ['a weaker rule on the folder that a forbidden one covers', '  - { id: a, match: { tool: files, operation: write, parameters: { path: { within: /etc/ssh } } }, action: STEP_UP }\n  - { id: b, match: { tool: files, parameters: { path: { within: /etc } } }, action: DENY, classification: forbidden }', 'a covered_by_forbidden'],
    ['equal priorities of conditions that may both hold', '  - { id: a, match: { tool: email, operation: send, parameters: { subject: { contains: x } } }, action: ALLOW, priority: 5 }\n  - { id: b, match: { tool: email, operation: send }, action: STEP_UP, priority: 5 }', 'a conflicting_priority'],
    ['a pattern that finds any character', '  - { id: a, match: { tool: email, operation: send, parameters: { body: { matches: ".+" } } }, action: DENY }', 'a matches_everything'],
    ['a folder that holds everything', '  - { id: a, match: { tool: files, operation: read, parameters: { path: { within: / } } }, action: DENY }', 'a matches_everything'],
    ['a deferral for what nobody may supply', '  - { id: a, match: { tool: files }, action: DEFER, context_needed: [criticality] }', 'a no_source'],
    ['an attribute of recipients that nobody may supply', '  - { id: a, match: { tool: email, operation: send }, context: { recipient: { attributes: { clearance: low } } }, action: DENY }', 'a no_source'],
    ['an escalation after the end', '  - { id: a, match: { tool: files }, action: STEP_UP, timeout: 10m, escalate: { to: [approver], after: 10m } }', 'a never_escalates'],
    ['a negated comparison of what may be left out', '  - { id: a, match: { tool: database, operation: delete, parameters: { limit: { not: { lte: 5 } } } }, action: DENY }', 'a optional_without_exists'],
    ['a rule that a higher one shadows', '  - { id: a, match: { tool: files, operation: read }, action: ALLOW }\n  - { id: b, match: { tool: files }, action: DENY }', 'a shadowed'],
    ['a rule that a forbidden one covers', '  - { id: a, match: { tool: files, operation: read }, action: ALLOW }\n  - { id: b, match: { tool: files }, action: DENY, classification: forbidden }', 'a covered_by_forbidden'],
    ['equal priorities that conflict', '  - { id: a, match: { tool: files }, action: ALLOW, priority: 5 }\n  - { id: b, match: { tool: files }, action: STEP_UP, priority: 5 }', 'a conflicting_priority'],
    ['a pattern that finds everything', '  - { id: a, match: { tool: files, operation: read, parameters: { path: { matches: "x*" } } }, action: DENY }', 'a matches_everything'],
    ['an attribute that nobody may supply', '  - { id: a, match: { tool: files }, context: { attributes: { colour: red } }, action: DENY }', 'a no_source'],
    ['external without internal domains', '  - { id: a, match: { tool: email, operation: send }, context: { recipient: { external: true } }, action: DENY }', 'a no_internal_domains'],
    ['an optional parameter that a deny compares', '  - { id: a, match: { tool: database, operation: delete, parameters: { limit: { gt: 5 } } }, action: DENY }', 'a optional_without_exists'],
    ['a kept file that a free command reads', '  - { id: a, match: { tool: files, operation: read, parameters: { path: { matches: "[.]env$" } } }, action: DENY }\n  - { id: b, match: { tool: shell }, action: ALLOW }', 'a open_to_commands'],
    ['a host that may stand anywhere in a URL', '  - { id: a, match: { tool: http, operation: fetch, parameters: { url: { matches: "https://api[.]corp[.]example/" } } }, action: ALLOW }', 'a url_as_text'],
    ['a part of a URL that is compared with the whole', '  - { id: a, match: { tool: http, operation: fetch, parameters: { url: { contains: "https://api.corp.example/" } } }, action: ALLOW }', 'a contains_whole_values'],
    ['a part of a path that is compared with the whole', '  - { id: a, match: { tool: files, operation: read, parameters: { path: { contains: .env } } }, action: DENY }', 'a contains_whole_values'],
  ])('%s', (_, rules, wanted) => {
    expect(found(rules)).toContain(wanted);
  });

  test.each([
    ['a kept file when commands are held back too', '  - { id: a, match: { tool: files, operation: read, parameters: { path: { matches: "[.]env$" } } }, action: DENY }\n  - { id: b, match: { tool: shell }, action: ALLOW }\n  - { id: c, match: { tool: shell, operation: exec, parameters: { command: { matches: "[.]env" } } }, action: DENY }'],
    ['a kept file when no command is allowed', '  - { id: a, match: { tool: files, operation: read, parameters: { path: { matches: "[.]env$" } } }, action: DENY }'],
    ['a pattern that begins where the URL begins', '  - { id: a, match: { tool: http, operation: fetch, parameters: { url: { matches: "^https://api[.]corp[.]example/" } } }, action: ALLOW }'],
    ['a URL that is refused for a word in it', '  - { id: a, match: { tool: http, operation: fetch, parameters: { url: { matches: "token=" } } }, action: DENY }'],
  ])('not %s', (_, rules) => {
    expect(found(rules)).toEqual([]);
  });

  test.each([
    ['conditions that two recipients can meet', '  - { id: a, match: { tool: email, operation: send, parameters: { to: { in: [a@x.example] } } }, when: \'parameters.to == "b@x.example"\', action: DENY }'],
    ['a shadow that the lower rule is partly out of', '  - { id: a, match: { tool: payments, operation: transfer, parameters: { amount: { gt: 100 } } }, action: STEP_UP }\n  - { id: b, match: { tool: payments, operation: transfer, parameters: { amount: { gt: 500 } } }, action: DENY }'],
    ['an allow above a deny that any of several recipients meets', '  - { id: a, match: { tool: email, operation: send, parameters: { to: { domain_in: [corp.example] } } }, action: DENY }\n  - { id: b, match: { tool: email, operation: send, parameters: { to: { domain_in: [corp.example] } } }, action: ALLOW, priority: 400 }'],
    ['equal priorities of conditions that exclude each other', '  - { id: a, match: { tool: payments, operation: transfer, parameters: { amount: { lte: 100 } } }, action: ALLOW, priority: 5 }\n  - { id: b, match: { tool: payments, operation: transfer, parameters: { amount: { gt: 100 } } }, action: STEP_UP, priority: 5 }'],
    ['an allow by context that is as high as the deny', '  - { id: a, match: { tool: files, operation: delete }, context: { user_intent: [delete] }, action: ALLOW, priority: 300 }\n  - { id: b, match: { tool: files }, action: DENY }'],
    ['a deny by effect above an allow of queries', '  - { id: a, match: { tool: database, operation: query }, action: ALLOW }\n  - { id: b, match: { effect: destructive }, action: DENY }'],
    ['an optional parameter that the rule asks for', '  - { id: a, match: { tool: database, operation: delete, parameters: { limit: { exists: true, gt: 5 } } }, action: DENY }'],
    ['an escalation in time', '  - { id: a, match: { tool: files }, action: STEP_UP, timeout: 10m, escalate: { to: [approver], after: 5m } }'],
    ['a pattern that needs something', '  - { id: a, match: { tool: email, operation: send, parameters: { body: { matches: "[0-9]{16}" } } }, action: DENY }'],
  ])('not %s', (_, rules) => {
    expect(found(rules)).toEqual([]);
  });

  test('a tool of the policy’s own that nothing permits', () => {
    const own = (more: string): string => `tools: [{ name: crm.export, effect: read, impact: low, ${more}parameters: { id: { type: string, role: target } } }]`;
    const deny = '  - { id: a, match: { tool: "*", operation: "*" }, action: DENY }';
    expect(found(deny, own(''))).toContain('- unreachable_tool');
    expect(found(deny, own('decision: DENY, '))).toEqual([]);
    expect(found(deny, own('decision: STEP_UP, '))).toEqual([]);
    expect(found('  - { id: a, match: { tool: crm }, action: DENY }', own(''))).toEqual([]);
    expect(found('  - { id: a, match: { tool: crm }, action: STEP_UP }', own(''))).toEqual([]);
  });

  test('nothing in thousands of rules, within seconds', () => {
    const rules = Array.from({ length: 3000 }, (_, i) => `  - { id: r${String(i)}, match: { tool: payments, operation: transfer, parameters: { to: DE-${String(i)} } }, action: STEP_UP }`).join('\n');
    const started = performance.now();
    expect(found(rules)).toEqual([]);
    expect(performance.now() - started).toBeLessThan(20_000);
  }, 60_000);

  test('a default that allows', () => {
    expect(found('  - { id: a, match: { tool: files }, action: DENY }', 'defaults: { decision: ALLOW }')).toContain('- default_allows');
  });

  test('groups that nobody belongs to', () => {
    const rules = '  - { id: a, match: { tool: files }, action: STEP_UP, approvers: [ghosts] }';
    expect(found(rules, '', { groups: ['approver'] })).toContain('a no_such_group');
    expect(found(rules, '', { groups: ['approver', 'ghosts'] })).toEqual([]);
  });
});
