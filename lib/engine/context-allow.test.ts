import { describe, expect, test } from 'vitest';

import type { Snapshot } from '@/lib/context/snapshot';
import { decideAbout, policyFrom, policyText, snapshotWith } from '@/lib/testing/engine-fixtures';

import type { Decision } from './decision';

const mail = { to: 'bob@corp.example', body: 'hello' };
const low = 'tools: [{ name: email.send, impact: low }]';
const about = (rules: string, header = low, more: Partial<Snapshot> = {}): Decision => decideAbout(policyFrom(policyText(rules, header)), 'email.send', mail, more);
const allow = (action: string, more = ''): string => `  - { id: yes, match: { tool: email }, context: { elapsed: { gt: 1m } }, action: ${action}, classification: context_dependent_allow${more} }\n`;

describe('a context-dependent allow', () => {
  test('reaches the catalogue’s and the defaults’ denial whatever its priority: both are below every rule', () => {
    expect(about(allow('ALLOW', ', priority: -5')).decision).toBe('ALLOW');
    expect(about(allow('ALLOW', ', priority: -1000000')).decision).toBe('ALLOW');
    expect(about(allow('STEP_UP', ', priority: -2'), 'tools: [{ name: email.send, decision: DENY }]').decision).toBe('STEP_UP');
  });

  test('is bounded by static rules that disagree beneath the denial only as far as that matters', () => {
    const under = (more: string): string => `${allow('STEP_UP', ', priority: 400')}  - { id: no, match: { tool: email }, action: DENY }\n${more}`;
    // ALLOW and STEP_UP beneath: the rule’s own STEP_UP is at least as strict as both.
    const agreed = about(under('  - { id: a, match: { tool: email }, action: ALLOW, priority: 7 }\n  - { id: b, match: { tool: email }, action: STEP_UP, priority: 7 }'));
    expect([agreed.decision, agreed.code]).toEqual(['STEP_UP', 'needs_approval']);
  });

  test('over rules that disagree in a way that matters, the approvers of the stricter decide', () => {
    const rules = `${allow('ALLOW', ', priority: 400')}  - { id: no, match: { tool: email }, action: DENY }
  - { id: a, match: { tool: email }, action: ALLOW, priority: 7 }
  - { id: b, match: { tool: email }, action: STEP_UP, priority: 7, approvers: [data-owner] }`;
    expect(about(rules)).toMatchObject({ decision: 'DEFER', code: 'rule_conflict', deferral: { conflict: ['a', 'b'], escalate: { approvers: ['data-owner'] } } });
  });

  test('such a conflict keeps what a guard wants changed, and who else is asked', () => {
    const rules = `${allow('ALLOW', ', priority: 400')}  - { id: no, match: { tool: email }, action: DENY }
  - { id: a, match: { tool: email }, action: ALLOW, priority: 7 }
  - { id: b, match: { tool: email }, action: STEP_UP, priority: 7, approvers: [data-owner] }`;
    const decision = about(rules, low, { guards: [{ guard: 'g', verdict: 'redact', path: 'body', detail: 'd' }] });
    expect(decision).toMatchObject({ decision: 'DEFER', deferral: { escalate: { approvers: ['data-owner'] } }, transformed: { parameters: { ...mail, body: '[redacted]' } } });
  });

  test('over rules that disagree and of which none asks people, the action is denied', () => {
    const rules = `${allow('ALLOW', ', priority: 400')}  - { id: no, match: { tool: email }, action: DENY }
  - { id: a, match: { tool: email }, action: ALLOW, priority: 7 }
  - { id: b, match: { tool: email }, action: MODIFY, priority: 7, modify: [{ set: parameters.body, to: x }] }`;
    expect(about(rules)).toMatchObject({ decision: 'DENY', code: 'rule_conflict' });
  });

  test('leaves a denial that another rule of its priority contradicts a conflict, also beneath a denial of its own', () => {
    const beneath = '  - { id: a, match: { tool: email }, action: ALLOW, priority: 7 }\n  - { id: b, match: { tool: email }, action: DENY, priority: 7 }';
    expect(about(allow('STEP_UP', ', priority: 400') + beneath)).toMatchObject({ decision: 'DENY', code: 'rule_conflict' });
    expect(about(`${allow('STEP_UP', ', priority: 400')}  - { id: no, match: { tool: email }, action: DENY }\n${beneath}`)).toMatchObject({ decision: 'DENY', code: 'rule_conflict' });
    expect(about(allow('ALLOW', ', priority: 400') + beneath).decision).toBe('ALLOW');
    expect(about(`${allow('ALLOW', ', priority: 400')}  - { id: no, match: { tool: email }, action: DENY }\n${beneath}`).decision).toBe('ALLOW');
  });

  test('does not lift a static DEFER beneath the denial', () => {
    const rules = `${allow('ALLOW', ', priority: 400')}  - { id: no, match: { tool: email }, action: DENY }
  - { id: wait, match: { tool: email }, action: DEFER, context_needed: [criticality], timeout: 7m }`;
    const decision = about(rules, `${low}\ninformation: { criticality: { from: ["ip:records"] } }`);
    expect(decision).toMatchObject({ decision: 'DEFER', code: 'needs_context', deferral: { conflict: [], timeout_s: 420 } });
  });

  test('may change the action instead, with the changes that would stand without the denial', () => {
    const rules = `${allow('MODIFY', ', priority: 400, modify: [{ set: parameters.subject, to: checked }]')}  - { id: no, match: { tool: email }, action: DENY }
  - { id: cut, match: { tool: email }, action: MODIFY, modify: [{ set: parameters.body, to: cut }] }`;
    const decision = about(rules, low, { session: { ...snapshotWith().session, assurance: 'verified' } });
    expect([decision.decision, decision.transformed?.parameters]).toEqual(['MODIFY', { ...mail, body: 'cut', subject: 'checked' }]);
  });
});

describe('a denial above another hides nothing of what stood without it', () => {
  const no = '  - { id: no, match: { tool: email }, action: DENY }\n';
  const ask = "  - { id: ask, match: { tool: email }, context: { elapsed: { gt: 1m } }, action: STEP_UP, classification: context_dependent_allow, priority: 300, approvers: [a] }\n";
  const lower = (action: string): string => `  - { id: lower, match: { tool: email }, context: { elapsed: { gt: 1m } }, ${action}, classification: context_dependent_allow, priority: 0 }\n`;
  const change = lower('action: MODIFY, modify: [{ set: parameters.body, to: x }]');

  test('a change that a rule below it makes is made still', () => {
    const without = about(ask + change);
    const under = about(ask + change + no);
    expect(without).toMatchObject({ decision: 'MODIFY', transformed: { parameters: { body: 'x' } } });
    expect(under).toMatchObject({ decision: 'STEP_UP', transformed: { parameters: { body: 'x' } } });
    expect(under.determining.map(({ id }) => id)).toEqual(expect.arrayContaining(['ask', 'lower']));
  });

  test('one that cannot be made denies still', () => {
    const filter = lower('action: MODIFY, modify: [{ add_filter: parameters.where, and: "tenant = 1" }]').replace('tool: email', 'tool: database');
    const query = (rules: string): Decision => decideAbout(policyFrom(policyText(rules.replaceAll('tool: email', 'tool: database'))), 'database.delete', { table: 'orders', where: { tenant: 2 } });
    expect(query(ask + filter)).toMatchObject({ decision: 'DENY', code: 'modify_unstable' });
    expect(query(ask + filter + no)).toMatchObject({ decision: 'DENY', code: 'modify_unstable' });
  });

  test('whom a rule below it asks is asked still', () => {
    const more = lower('action: STEP_UP, approvers: [b]');
    expect(about(ask + more + no).approval).toEqual(about(ask + more).approval);
    expect(JSON.stringify(about(ask + more + no).approval)).toContain('"b"');
  });

  test('a rule below it lifts nothing', () => {
    expect(about(change + no).decision).toBe('DENY');
    expect(about(lower('action: ALLOW') + ask + no).decision).toBe('STEP_UP');
  });
});
