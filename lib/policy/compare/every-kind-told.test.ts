import { describe, expect, it } from 'vitest';

import { policyFrom, policyText } from '@/lib/testing/engine-fixtures';

import { comparePolicies } from './compare-policies';

/** What a comparison that came to its end tells of decisions about one operation, each once. */
function told(operation: string, before: string, after: string, header = ''): readonly string[] {
  const found = comparePolicies(policyFrom(policyText(before, header)), policyFrom(policyText(after, header)));
  expect(found.unproved).toEqual([]);
  const words = found.changes.flatMap((change) => (change.of === 'decision' && change.operation === operation ? [`${change.from.decision} → ${change.to.decision} ${change.effects.join(' ')}`] : []));
  return [...new Set(words)].sort();
}

const match = 'match: { tool: payments, operation: transfer';

describe('a comparison tells, each as a change of its own,', () => {
  it('what is cut less, what is not cut any more, and what was left out', () => {
    const cap = (at: number): string => `  - { id: pay, match: { tool: files, operation: read }, action: MODIFY, modify: [{ cap: parameters.offset, at: ${String(at)} }] }`;
    const header = 'tools: [{ name: files.read, parameters: { path: { type: string, role: path }, offset: { type: number, optional: true } } }]';
    expect(told('read', cap(2), cap(3), header)).toEqual(['MODIFY → ALLOW loosens', 'MODIFY → MODIFY loosens', 'MODIFY → MODIFY loosens tightens', 'STEP_UP → STEP_UP loosens', 'STEP_UP → STEP_UP loosens tightens']);
  });

  it('that an action of which too little is known waits longer where a rule reads the request too', () => {
    const allow = `  - { id: pay, ${match} }, action: ALLOW }`;
    const defer = `  - { id: wait, ${match} }, context: { user_intent: { contains: [delete] } }, action: DEFER, context_needed: [user_intent], timeout: 10m }`;
    const header = 'confidence: { defer_below: 0.5 }\ninformation: { effect.count: { from: ["pep:gate"] } }';
    expect(told('transfer', allow, `${allow}\n${defer}`, header)).toContain('DEFER → DEFER loosens tightens');
  });

  it('what stands beneath a rule that waits for a fact, once that is known', () => {
    const header = 'information: { criticality: { from: ["ip:records"] } }';
    const wait = `  - { id: wait, ${match} }, action: DEFER, context_needed: [attributes.criticality], priority: 400 }`;
    const ask = `  - { id: ask, ${match} }, action: STEP_UP }`;
    expect(told('transfer', wait, `${wait}\n${ask}`, header)).toContain('DENY → STEP_UP loosens');
  });

  it('what rules make of recipients that other rules only tell from somebody else', () => {
    const header = `information: { directory: { from: ["ip:records"] } }
tools: [{ name: post.send, effect: communicate, impact: low, decision: ALLOW, parameters: { to: { type: string, role: recipients, optional: true } } }]`;
    const bob = '  - { id: bob, match: { tool: post, parameters: { to: { contains: bob@corp.example } } }, action: DENY }';
    const guests = '  - { id: guests, match: { tool: post }, context: { recipient: { attributes: { directory: guest } } }, action: STEP_UP }';
    expect(told('send', bob, `${bob}\n${guests}`, header)).toContain('ALLOW → STEP_UP tightens');
  });

  it('a sequence of which it is not known whether it was begun', () => {
    const allow = `  - { id: pay, ${match} }, action: ALLOW }`;
    const stop = '  - { id: stop, match: { tool: payments }, context: { sequence: { steps: [{ tool: email, operation: read, label: PII }, { tool: payments, operation: transfer }], within: 1h } }, action: DENY }';
    expect(told('transfer', allow, `${allow}\n${stop}`)).toContain('ALLOW → DEFER tightens');
  });

  it('what a rule on a path sees in a command, where the path cannot be read', () => {
    const header = 'tools: [{ name: shell.look, effect: read, impact: low, parameters: { path: { type: string, role: path, optional: true }, command: { type: string, role: command, optional: true }, limit: { type: number, optional: true } } }]';
    const others = '  - { id: no, match: { tool: shell }, action: DENY, priority: 100 }\n  - { id: rm, match: { tool: shell, parameters: { command: rm /srv } }, action: DENY, priority: 900 }';
    const cap = (at: number): string => `${others}\n  - { id: srv, match: { tool: shell, operation: look, parameters: { path: /srv } }, action: MODIFY, priority: 500, modify: [{ cap: parameters.limit, at: ${String(at)} }] }`;
    expect(told('look', cap(2), cap(3), header)).toContain('STEP_UP → STEP_UP loosens');
  });

  it('what is not known of the target that MODIFY puts in the place of another', () => {
    const header = 'tools: [{ name: store.drop, effect: destructive, impact: low, decision: ALLOW, parameters: { table: { type: string, role: target } } }]\ninformation: { criticality: { from: ["ip:records"] } }';
    const move = '  - { id: move, match: { tool: store, parameters: { table: { not: archive } } }, context: { attributes: { criticality: low } }, action: MODIFY, modify: [{ set: parameters.table, to: archive }] }';
    const no = '  - { id: no, match: { tool: store }, context: { attributes: { criticality: high } }, action: DENY }';
    expect(told('drop', move, `${move}\n${no}`, header)).toContain('MODIFY → DEFER tightens');
  });

  it('that a rule of which one fact is not known waits for another one too', () => {
    const header = 'confidence: { defer_below: 0 }\ntools: [{ name: store.drop, effect: destructive, impact: low, decision: ALLOW, parameters: { table: { type: string, role: target } } }]\ninformation: { criticality: { from: ["ip:records"] }, region: { from: ["ip:records"] } }';
    const other = '  - { id: other, match: { tool: store, identity: { role: clerk } }, context: { attributes: { region: eu } }, action: DENY }';
    const ask = (when: string): string => `${other}\n  - { id: ask, match: { tool: store }, when: '${when}', action: STEP_UP }`;
    const critical = 'context.attributes.criticality == "high"';
    expect(told('drop', ask(critical), ask(`${critical} && (context.attributes.region == "eu" || context.elapsed < "1h")`), header)).toContain('DEFER → DEFER tightens');
  });

  it('what is cut of an argument that a rule compares with another one', () => {
    const header = 'tools: [{ name: store.fetch, effect: read, impact: low, parameters: { amount: { type: number, optional: true }, limit: { type: number, optional: true } } }]';
    const allow = '  - { id: all, match: { tool: store }, action: ALLOW }';
    const cap = `  - { id: cap, match: { tool: store }, when: 'parameters.amount > parameters.limit', action: MODIFY, modify: [{ cap: parameters.limit, at: 3 }] }`;
    expect(told('fetch', allow, cap, header)).toContain('ALLOW → MODIFY tightens');
  });

  it('what another rule asks of an argument that a rule compares with one', () => {
    const header = 'tools: [{ name: store.fetch, effect: read, impact: low, parameters: { amount: { type: number, optional: true }, limit: { type: number, optional: true } } }]';
    const over = `  - { id: over, match: { tool: store }, when: 'parameters.amount > parameters.limit', action: ALLOW }`;
    const wide = '  - { id: wide, match: { tool: store, parameters: { limit: { gte: 3 } } }, action: STEP_UP }';
    expect(told('fetch', over, wide, header)).toContain('ALLOW → STEP_UP tightens');
  });

  it('what a change would write that is there already', () => {
    const header = 'tools: [{ name: store.fetch, effect: read, impact: low, parameters: { where: { type: object } } }]';
    const own = '  - { id: own, match: { tool: store }, action: MODIFY, modify: [{ set: parameters.where.owner, to: ada }] }';
    expect(told('fetch', own, '', header)).toContain('ALLOW → DENY tightens');
  });
});
