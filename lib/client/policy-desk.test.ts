import { describe, expect, it } from 'vitest';

import { policyText } from '@/lib/testing/engine-fixtures';

import { PolicyDesk } from './policy-desk';
import { parseDeskAnswer } from './parse-desk-answer';
import type { DeskKind, RequestOf } from './policy-desk-messages';

const names = { groups: [{ name: 'approver', people: 2 }, { name: 'data-owner', people: 1 }], agents: [] };
const rules = (action: string, approvers = 'data-owner'): string => policyText(`
  - { id: mail, match: { tool: email, operation: send }, action: ${action}${action === 'STEP_UP' ? `, approvers: [${approvers}]` : ''}, reason: Because. }`);
const cases = (decision: string): string => `tests:\n  - name: mail\n    action: { tool: email, operation: send, parameters: { to: a@b.example, body: x } }\n    expect: { decision: ${decision} }\n`;
const call = { tool: 'email', operation: 'send', parameters: '{ "to": "a@b.example", "body": "x" }', given: '' };

function ask<Kind extends DeskKind>(kind: Kind, request: RequestOf<Kind>) {
  return parseDeskAnswer(new PolicyDesk().answer(request), kind);
}

describe('the desk', () => {
  it('tells every problem with severity, place and fix', () => {
    const text = rules('DENI').replace('schema:', 'shema: x\nschema:');
    const checked = ask('check', { kind: 'check', text, format: 'yaml', tests: '', names });
    expect(checked.rules).toBeNull();
    expect(checked.policy.map(({ severity, path }) => `${severity} ${path}`)).toEqual(expect.arrayContaining([expect.stringContaining('error shema'), 'error rules[0].action']));
    const line = text.split('\n').findIndex((one) => one.includes('DENI')) + 1;
    expect(checked.policy).toContainEqual(expect.objectContaining({ path: 'rules[0].action', line, fix: expect.any(String) }));
  });

  it('tells what loads but has nobody to approve it, by the groups of the roster', () => {
    const checked = ask('check', { kind: 'check', text: rules('STEP_UP', 'nobody'), format: 'yaml', tests: '', names });
    expect(checked).toMatchObject({ rules: 1 });
    expect(checked.policy).toContainEqual(expect.objectContaining({ severity: 'warning', code: 'no_such_group' }));
    expect(ask('check', { kind: 'check', text: rules('STEP_UP'), format: 'yaml', tests: '', names }).policy.map(({ code }) => code)).not.toContain('no_such_group');
  });

  it('tells faults of the cases apart from those of the policy', () => {
    const checked = ask('check', { kind: 'check', text: rules('DENY'), format: 'yaml', tests: cases('MAYBE'), names });
    expect(checked.rules).toBe(1);
    expect(checked.tests).toContainEqual(expect.objectContaining({ severity: 'error', path: 'tests[0].expect.decision', line: 4 }));
  });

  it('decides the cases, each with its place and what came out differently', () => {
    expect(ask('test', { kind: 'test', text: rules('DENY'), format: 'yaml', tests: cases('DENY') })).toEqual({ fault: null, cases: [{ name: 'mail', passed: true, wrong: [], line: 2, column: 5, decision: 'DENY' }] });
    expect(ask('test', { kind: 'test', text: rules('DENY'), format: 'yaml', tests: cases('ALLOW') }).cases[0]).toMatchObject({ passed: false, wrong: ['decision: wanted "ALLOW", got "DENY"'] });
    expect(ask('test', { kind: 'test', text: rules('DENI'), format: 'yaml', tests: cases('ALLOW') })).toEqual({ fault: 'policy', cases: [] });
    expect(ask('test', { kind: 'test', text: rules('DENY'), format: 'yaml', tests: 'tests: []' })).toEqual({ fault: 'tests', cases: [] });
  });

  it('decides one call under the draft and under the policy in force', () => {
    const simulated = ask('simulate', { kind: 'simulate', draft: { text: rules('STEP_UP'), format: 'yaml' }, inForce: { text: rules('DENY'), format: 'yaml' }, call });
    expect(simulated.asked).toBeNull();
    expect(simulated.draft).toMatchObject({ state: 'decided', decision: { decision: 'STEP_UP', reason: 'Because.' }, rules: [{ id: 'mail', truth: 'true' }] });
    expect(simulated.inForce).toMatchObject({ state: 'decided', decision: { decision: 'DENY' } });
    expect(structuredClone(simulated)).toEqual(simulated);
  });

  it('says what is no question, and what is no action, without deciding', () => {
    const draft = { text: rules('DENY'), format: 'yaml' } as const;
    const simulated = (changed: Partial<typeof call>) => ask('simulate', { kind: 'simulate', draft, inForce: null, call: { ...call, ...changed } });
    expect(simulated({ parameters: '{ to' })).toMatchObject({ asked: { code: 'invalid_json' }, draft: null });
    expect(simulated({ given: 'lables: [PII]' })).toMatchObject({ asked: { code: 'invalid_input', issues: [{ path: expect.stringContaining('lables'), line: 1 }] } });
    expect(simulated({ parameters: '{ "to": 5 }' }).draft).toMatchObject({ state: 'refused', by: 'action', refusal: { code: 'invalid_parameters' } });
    expect(simulated({ tool: 'none' }).draft).toMatchObject({ state: 'refused', by: 'action', refusal: { code: 'unknown_tool' } });
  });

  it('goes on completing by the last text that loaded, own tools and attributes included', () => {
    const desk = new PolicyDesk();
    const text = policyText('', 'information: { clearance: { from: [requester] } }\ntools:\n  - { name: crm.export, effect: read, impact: low, parameters: { id: { type: string } } }');
    desk.answer({ kind: 'check', text, format: 'yaml', tests: '', names });
    const broken = `${text}\n  - id: x\n    match: { tool: crm, operation: `;
    const offered = parseDeskAnswer(desk.answer({ kind: 'complete', text: broken, offset: broken.length, format: 'yaml', names }), 'complete');
    expect(offered?.options.map(({ label }) => label)).toEqual(['export']);
  });
});
