import { describe, expect, test } from 'vitest';

import { listedPerson, person, testId } from '@/lib/testing/authority-documents';
import { heldDeletion } from '@/lib/testing/held-actions';

import { checkIds, checksOf, maxChecks } from './checks';
import { verifyDenial } from './denial';
import type { HeldAction } from './held-action';
import type { Denial } from './vote';

const held = heldDeletion();
const quiet: Partial<HeldAction> = { arguments: [], recipients: [], labels: ['PUBLIC'], effect: 'write', attributes: [] };
const ids = (changes: Partial<HeldAction>) => checksOf(heldDeletion({ ...quiet, ...changes })).map(({ id }) => id);
const measuredOf = (name: string, value: boolean) => ({ subject: `action:${held.action_id}`, name, value, unavailable: false, source: 'pep:x', observed_at: held.held_at });

describe('checks', () => {
  test.each<[string, Partial<HeldAction>, readonly string[]]>([
    ['an ordinary change asks for none', {}, []],
    ['a target from untrusted text', { arguments: [{ path: 'to[0]', value: 'x@y.example', source: 'untrusted_output', role: 'recipients' }] }, ['untrusted_target']],
    ['a body from untrusted text is no target', { arguments: [{ path: 'body', value: 'x', source: 'untrusted_output' }] }, []],
    ['a look-alike recipient', { recipients: [{ address: 'a@ha1den.example', standing: 'look_alike', resembles: 'a@halden.example' }] }, ['look_alike_recipient']],
    ['sensitive data on its way out', { effect: 'communicate', labels: ['PII'], recipients: [{ address: 'a@x.example', standing: 'external' }] }, ['labels_leaving']],
    ['sensitive data on its way to who knows where', { effect: 'communicate', labels: ['CONFIDENTIAL'] }, ['labels_leaving']],
    ['sensitive data to colleagues only', { effect: 'communicate', labels: ['PII'], recipients: [{ address: 'a@x.example', standing: 'internal' }] }, []],
    ['harmless data on its way out', { effect: 'communicate', labels: ['INTERNAL'], recipients: [{ address: 'a@x.example', standing: 'external' }] }, []],
    ['an amount that the agent made up', { arguments: [{ path: 'amount', value: 5, source: 'nowhere', role: 'amount' }] }, ['value_from_nowhere']],
    ['a flag that the agent switched on', { effect: 'execute', arguments: [{ path: 'force', value: true, source: 'nowhere' }] }, ['value_from_nowhere']],
    ['a flag that the agent switched off', { effect: 'execute', arguments: [{ path: 'force', value: false, source: 'nowhere' }] }, []],
    ['what cannot be undone', { effect: 'destructive', attributes: [measuredOf('effect.reversible', false)] }, ['irreversible']],
    ['a deletion of which nobody knows', { effect: 'destructive' }, ['irreversible']],
    ['a deletion with a snapshot', { effect: 'destructive', attributes: [measuredOf('effect.snapshot', true)] }, []],
    ['a deletion that can be undone', { effect: 'destructive', attributes: [measuredOf('effect.reversible', true)] }, []],
  ])('%s', (_, changes, wanted) => {
    expect(ids(changes)).toEqual(wanted);
  });

  test('are three at most, the gravest first', () => {
    const all = checksOf(
      heldDeletion({
        effect: 'communicate',
        labels: ['SECRET'],
        recipients: [{ address: 'a@ha1den.example', standing: 'look_alike' }],
        attributes: [measuredOf('effect.reversible', false)],
        arguments: [
          { path: 'to[0]', value: 'a@ha1den.example', source: 'untrusted_output', role: 'recipients' },
          { path: 'url', value: 'x', source: 'nowhere', role: 'url' },
        ],
      }),
    ).map(({ id }) => id);
    expect(all).toEqual(checkIds.slice(0, maxChecks));
  });

  test('never put the agent’s words into a title', () => {
    for (const { title } of checksOf(held)) expect(title).not.toContain('example.com');
    const [first] = checksOf(held);
    expect(first?.detail.filter(({ from }) => from === 'untrusted').map(({ text }) => text)).toEqual(["email LIKE '%@example.com'", 'where', 'tickets.read']);
  });
});

describe('a denial', () => {
  const denial: Denial = { request: held.approval, person: person('ben'), code: 'wider_than_request', reason: 'Only the import.', at: '2027-03-01T14:10:00.000Z' };
  const code = (changes: Partial<Denial>, by = listedPerson('ben')) => {
    const result = verifyDenial({ ...denial, ...changes }, held, by);
    return result.ok ? 'counts' : result.error.code;
  };

  test('counts without any key, from whoever it is routed to', () => {
    expect(code({})).toBe('counts');
    expect(code({}, listedPerson('ben', { keys: [] }))).toBe('counts');
  });

  test('counts from the registrant of the agent too: it only tightens', () => {
    expect(code({ person: person('root') }, listedPerson('root'))).toBe('counts');
  });

  test.each<[string, string, Partial<Denial>, Parameters<typeof code>[1]]>([
    ['an outsider', 'not_an_approver', {}, listedPerson('ben', { groups: ['finance'] })],
    ['a suspended person', 'not_an_approver', {}, listedPerson('ben', { suspended: true })],
    ['one person in the name of another', 'not_an_approver', { person: person('cat') }, undefined],
    ['somebody without a reason', 'reason_required', { reason: ' ' }, undefined],
    ['a reason without end', 'invalid_input', { reason: 'x'.repeat(5000) }, undefined],
    ['somebody too late', 'approval_expired', { at: held.expires_at }, undefined],
    ['a vote for another request', 'invalid_input', { request: testId('approval', 'other') }, undefined],
  ])('by %s is %s', (_, wanted, changes, by) => {
    expect(code(changes, by)).toBe(wanted);
  });
});
