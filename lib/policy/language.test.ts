import { describe, expect, test } from 'vitest';

import { decideAbout, owner, policyFrom, policyText, useStock } from '@/lib/testing/engine-fixtures';
import type { Decision } from '@/lib/engine/decision';
import type { Snapshot } from '@/lib/context/snapshot';
import type { JsonObject } from '@/lib/shared/json';

const whole = `schema: countersign/policy/v1
id: production
${useStock}
description: Every block there is.
defaults: { decision: STEP_UP, unclassified: CONFIDENTIAL }
confidence: { high: 0.8, low: 0.3, defer_below: 0.6 }
approvals: { approvers: [lead, deputy], timeout: 45m, quorum: 2, separation: off }
deferrals: { timeout: 90s, depth: 4 }
permits: { ttl: 30s, after_approval: 5m, outcome: 1h }
sessions: { ttl: 2d, idle: 1h30m }
limits: { held_per_session: 1, held_per_agent: 2, held_per_human: 3, new_per_minute: 4 }
information: { owner: { from: ["ip:records", "orchestrator:helpdesk", "group:owners"], max_age: 5m }, kind: { from: ["pep:gate"] } }
directory: { internal_domains: [corp.example] }
tools:
  - name: crm.export
    effect: read
    impact: medium
    decision: DENY
    grant: required
    trusted: true
    open: true
    parameters: { id: { type: string, role: target }, note: { type: string, optional: true, sensitive: true } }
    labels: [{ reads: customers, add: [CONFIDENTIAL, PII] }]
  - { name: mail.send, decision: ALLOW }
`;

describe('the blocks of a policy', () => {
  const policy = policyFrom(whole);

  test('say what they say, times in seconds and shares in thousandths', () => {
    expect(policy).toMatchObject({
      id: 'production', defaults: { decision: 'STEP_UP', unclassified: 'CONFIDENTIAL' }, confidence: { high: 800, low: 300, defer_below: 600 },
      approvals: { approvers: ['lead', 'deputy'], timeout_s: 2700, quorum: 2, separation: false }, deferrals: { timeout_s: 90, depth: 4 },
      permits: { ttl_s: 30, after_approval_s: 300, outcome_s: 3600 }, sessions: { ttl_s: 172_800, idle_s: 5400 },
      limits: { held_per_session: 1, held_per_agent: 2, held_per_human: 3, new_per_minute: 4 }, internalDomains: ['corp.example'],
    });
    expect([...policy.information]).toEqual([
      ['owner', { from: ['ip:records', 'orchestrator:helpdesk', 'group:owners'], max_age_s: 300 }], ['kind', { from: ['pep:gate'], max_age_s: null }],
    ]);
  });

  test('describe tools of their own, and mend the named fields of stock ones, by any alias', () => {
    expect(policy.catalogue.entries.get('crm.export')).toEqual({
      tool: 'crm', operation: 'export', effect: 'read', impact: 'medium', decision: 'DENY', grant: true, trusted: true, open: true,
      parameters: { id: { type: 'string', role: 'target' }, note: { type: 'string', optional: true, sensitive: true } },
      labels: [{ reads: 'customers', add: ['CONFIDENTIAL', 'PII'] }],
    });
    expect(policy.catalogue.entries.get('email.send')).toMatchObject({ effect: 'communicate', impact: 'medium', decision: 'ALLOW' });
  });
});

const header = 'information: { owner: { from: ["ip:records"] } }\ndirectory: { internal_domains: [corp.example] }';

function decided(rules: string, name: string, parameters: JsonObject, more: Partial<Snapshot> = {}): Decision {
  return decideAbout(policyFrom(policyText(rules, header)), name, parameters, more);
}

const mail = { to: ['bob@corp.example', 'eve@mail.example'], body: 'call +49 170 1234567', bcc: 'x@corp.example' };

describe('the forms of the five actions', () => {
  test('STEP_UP: who, all of them or one, how many, how long, and who after that', () => {
    const asks = '  - { id: r, match: { tool: email }, action: STEP_UP, approvers: [b, a], all_groups: true, quorum: 2, timeout: 10m, escalate: { to: [c], after: 5m }, guidance: Ask first. }';
    expect(decided(asks, 'email.send', mail)).toMatchObject({
      decision: 'STEP_UP', guidance: 'Ask first.', approval: { approvers: ['a', 'b'], all_groups: true, quorum: 2, timeout_s: 600, escalate: { to: ['c'], after_s: 300 } },
    });
    expect(decided('  - { id: r, match: { tool: email }, action: STEP_UP }', 'email.send', mail)).toMatchObject({ approval: { approvers: ['approver'], all_groups: false, quorum: 1, timeout_s: 1800 } });
  });

  test('DEFER: what is needed, and how long it is waited for', () => {
    const waits = '  - { id: r, match: { tool: database, operation: delete }, action: DEFER, context_needed: [target_ownership], timeout: 2m }\n  - { id: open, match: { tool: database }, action: ALLOW }';
    expect(decided(waits, 'database.delete', { table: 't' })).toMatchObject({ decision: 'DEFER', deferral: { missing: [{ field: 'target_ownership', subject: 'database:t', suppliers: ['ip:records'] }], timeout_s: 120 } });
    expect(decided(waits, 'database.delete', { table: 't' }, { attributes: [owner('database:t', 'ada@corp.example')] }).decision).toBe('ALLOW');
  });

  test.each<[string, string, JsonObject, JsonObject]>([
    ['{ set: parameters.limit, to: 100 }', 'database.delete', { table: 't', limit: 5 }, { table: 't', limit: 100 }],
    ['{ cap: parameters.limit, at: 100 }', 'database.delete', { table: 't', limit: 500 }, { table: 't', limit: 100 }],
    ['{ redact: parameters.body, what: [PII] }', 'email.send', { to: 'bob@corp.example', body: mail.body }, { to: 'bob@corp.example', body: expect.not.stringContaining('1234567') as string }],
    ['{ drop: parameters.bcc }', 'email.send', { to: 'bob@corp.example', body: 'x', bcc: 'y@corp.example' }, { to: 'bob@corp.example', body: 'x' }],
    ['{ restrict: parameters.to, to: internal }', 'email.send', { to: mail.to, body: 'x' }, { to: ['bob@corp.example'], body: 'x' }],
    ['{ restrict: parameters.to, to: [mail.example] }', 'email.send', { to: mail.to, body: 'x' }, { to: ['eve@mail.example'], body: 'x' }],
    ['{ add_filter: parameters.where, and: "tenant = 1" }', 'database.delete', { table: 't', where: 'id = 2' }, { table: 't', where: expect.stringMatching(/id = 2.*tenant = 1/) as string }],
  ])('MODIFY: %s', (change, name, parameters, wanted) => {
    const tool = name.split('.')[0] ?? '';
    const decision = decided(`  - { id: r, match: { tool: ${tool} }, action: MODIFY, modify: [${change}] }`, name, parameters);
    expect([decision.decision, decision.transformed?.parameters]).toEqual(['MODIFY', wanted]);
  });

  test('ALLOW with obligations, which nothing that is refused carries', () => {
    const obliged = (action: string): string => `  - { id: r, match: { tool: shell }, action: ${action}, obligations: { sandbox: no-network, redact_output: [SECRET], rate: { max: 10, within: 1m } } }`;
    expect(decided(obliged('ALLOW'), 'shell.exec', { command: 'ls' }).obligations).toEqual([
      { kind: 'rate', value: { max: 10, within_s: 60 } }, { kind: 'redact_output', value: ['SECRET'] }, { kind: 'sandbox', value: 'no-network' },
    ]);
    expect(decided(`${obliged('ALLOW')}\n  - { id: no, match: { tool: shell }, action: DENY }`, 'shell.exec', { command: 'ls' }).obligations).toEqual([]);
  });

  test('DENY and forbidden, with opaque: STEP_UP where an argument hides it', () => {
    const forbids = (opaque: string): string => `  - { id: f, match: { tool: shell, parameters: { command: { in: [dd] } } }, action: DENY, classification: forbidden${opaque} }\n  - { id: open, match: { tool: shell }, action: ALLOW }`;
    const hidden = { command: '$(printf %s "$X") now' };
    expect(decided(forbids(''), 'shell.exec', { command: 'dd if=a' })).toMatchObject({ decision: 'DENY', code: 'forbidden_action', classification: 'forbidden' });
    expect(decided(forbids(''), 'shell.exec', hidden)).toMatchObject({ decision: 'DENY', code: 'opaque_argument' });
    expect(decided(forbids(', opaque: STEP_UP'), 'shell.exec', hidden).decision).toBe('STEP_UP');
    expect(decided(forbids(', opaque: STEP_UP'), 'shell.exec', { command: 'dd if=a' }).decision).toBe('DENY');
  });

  test('a stated priority goes before the usual one', () => {
    const rules = (priority: string): string => `  - { id: yes, match: { tool: email }, action: ALLOW${priority} }\n  - { id: no, match: { tool: email }, action: DENY }`;
    expect(decided(rules(''), 'email.send', mail).decision).toBe('DENY');
    expect(decided(rules(', priority: 301'), 'email.send', mail).decision).toBe('ALLOW');
  });

  test('a wildcard stands for whole segments of tool and operation, a list for any of it, an alias for its tool', () => {
    const matches = (match: string, name: string, parameters: JsonObject): boolean => decided(`  - { id: r, match: { ${match} }, action: ALLOW }`, name, parameters).decision === 'ALLOW';
    expect(matches('tool: "*", operation: send', 'email.send', mail)).toBe(true);
    expect(matches('tool: [files, mail]', 'email.send', mail)).toBe(true);
    expect(matches('tool: email, operation: [read, send]', 'email.send', mail)).toBe(true);
    expect(matches('tool: "em*"', 'email.send', mail)).toBe(false);
    expect(matches('effect: [communicate]', 'email.send', mail)).toBe(true);
    expect(matches('effect: read', 'email.send', mail)).toBe(false);
  });
});
