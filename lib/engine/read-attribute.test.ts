import { describe, expect, test } from 'vitest';

import { at, decideAbout, policyFrom, policyText } from '@/lib/testing/engine-fixtures';
import type { Decision } from '@/lib/engine/decision';
import type { AttributeFact } from '@/lib/context/snapshot';
import type { JsonObject } from '@/lib/shared/json';

const header = 'information: { clearance: { from: ["ip:people"], max_age: 5m }, criticality: { from: ["ip:records"] } }';
const said = (subject: string, name: string, value: string, source = 'ip:people', unavailable = false): AttributeFact => ({ subject, name, value, unavailable, source, observed_at: at(1) });
const bob = 'recipient:bob@corp.example';
const eve = 'recipient:eve@mail.example';
const mail = { to: ['bob@corp.example', 'eve@mail.example'], body: 'x' };

function about(context: string, action: string, attributes: readonly AttributeFact[], parameters: JsonObject = mail, name = 'email.send'): Decision {
  const open = action === 'ALLOW' ? '' : '  - { id: open, match: { tool: "*" }, action: ALLOW }\n';
  return decideAbout(policyFrom(policyText(`  - { id: r, match: { tool: "*" }, context: ${context}, action: ${action} }\n${open}`, header)), name, parameters, { attributes });
}

describe('an attribute of recipients', () => {
  const high = '{ recipient: { attributes: { clearance: high } } }';
  const low = '{ recipient: { attributes: { clearance: low } } }';

  test.each<[string, readonly AttributeFact[], string, string]>([
    ['both', [said(bob, 'clearance', 'high'), said(eve, 'clearance', 'high')], 'STEP_UP', 'ALLOW'],
    ['one of two', [said(bob, 'clearance', 'high'), said(eve, 'clearance', 'low')], 'DENY', 'DENY'],
    ['one, and nothing of the other', [said(bob, 'clearance', 'high')], 'DEFER', 'DEFER'],
    ['one low, and nothing of the other', [said(bob, 'clearance', 'low')], 'DENY', 'DENY'],
    ['one, while of the other nothing can be said', [said(bob, 'clearance', 'high'), said(eve, 'clearance', '', 'ip:people', true)], 'DENY', 'DENY'],
    ['both, from a source that is not listed', [said(bob, 'clearance', 'high', 'ip:other'), said(eve, 'clearance', 'high', 'ip:other')], 'DEFER', 'DEFER'],
  ])('known of %s: what allows needs all, what denies any', (_, attributes, allows, denies) => {
    expect([about(high, 'ALLOW', attributes).decision, about(low, 'DENY', attributes).decision]).toEqual([allows, denies]);
  });

  test('that is missing names the person, the attribute and who may supply it', () => {
    const { deferral } = about(high, 'ALLOW', [said(bob, 'clearance', 'high')]);
    expect(deferral?.missing).toEqual([{ field: 'recipient.attributes.clearance', subject: eve, attribute: 'clearance', suppliers: ['ip:people'] }]);
  });

  test('may be what a rule waits for', () => {
    const policy = policyFrom(policyText('  - { id: wait, match: { tool: email }, action: DEFER, context_needed: [recipient.attributes.clearance], timeout: 5m }\n  - { id: open, match: { tool: email }, action: ALLOW }', header));
    const waiting = decideAbout(policy, 'email.send', mail, { attributes: [said(bob, 'clearance', 'high')] });
    expect([waiting.decision, waiting.deferral?.missing.map(({ subject }) => subject), waiting.deferral?.timeout_s]).toEqual(['DEFER', [eve], 300]);
    expect(decideAbout(policy, 'email.send', mail, { attributes: [said(bob, 'clearance', 'high'), said(eve, 'clearance', 'low')] }).decision).toBe('ALLOW');
  });

  test('stands beside conditions on the addresses, and in a when', () => {
    const known = [said(bob, 'clearance', 'high'), said(eve, 'clearance', 'low')];
    expect(about('{ recipient: { domain_in: [corp.example], attributes: { clearance: low } } }', 'DENY', known).decision).toBe('DENY');
    expect(about('{ recipient: { domain_in: [nowhere.example], attributes: { clearance: low } } }', 'DENY', known).decision).toBe('ALLOW');
    const policy = policyFrom(policyText(`  - { id: r, match: { tool: email }, when: 'context.recipients.attributes.clearance == "low"', action: DENY }\n  - { id: open, match: { tool: email }, action: ALLOW }`, header));
    expect(decideAbout(policy, 'email.send', mail, { attributes: known }).code).toBe('denied_by_context');
  });

  test('is absent where nobody receives anything', () => {
    expect(about(low, 'DENY', [], { path: 'a' }, 'files.read').decision).toBe('ALLOW');
    expect(about(high, 'ALLOW', [], { path: 'a' }, 'files.read').decision).toBe('DENY');
  });
});

describe('an attribute of several things', () => {
  const join = { query: 'SELECT * FROM orders JOIN customers USING (id)' };
  const critical = '{ attributes: { criticality: high } }';

  test('that is known of one is enough to deny, never to allow', () => {
    const known = [said('database:customers', 'criticality', 'high', 'ip:records')];
    expect(about(critical, 'DENY', known, join, 'database.query').code).toBe('denied_by_context');
    expect(about(critical, 'ALLOW', known, join, 'database.query').decision).toBe('DEFER');
  });
});
