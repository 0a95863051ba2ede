import { describe, expect, test } from 'vitest';

import { gainedLabels } from '@/lib/context/label-ledger';
import { person } from '@/lib/testing/authority-documents';
import { digestOfDigit, heldDeletion } from '@/lib/testing/held-actions';
import { nodeSha256 } from '@/lib/testing/node-crypto';

import { basisDigest } from './basis';
import { differencesOf, mostDifferences, outdatesVotes } from './differences';
import type { Difference, HeldAction } from './held-action';

const held = heldDeletion();
const differences = (changes: Partial<HeldAction>, from = held) => differencesOf(from, { ...from, ...changes }, gainedLabels);
const [rule] = held.rules;
const [table, where, limit] = held.arguments;
if (!rule || !table || !where || !limit) throw new Error('The held deletion has a rule and three arguments.');

describe('what differs between two requests about one action', () => {
  test('is nothing while the session goes on without touching what votes cover', () => {
    const later: Partial<HeldAction> = { timeline: [], requests: [], attributes: [], signals: [], alignment: 1, held_at: '2027-03-01T15:00:00.000Z' };
    expect(differences(later)).toEqual([]);
    expect(basisDigest({ ...held, ...later }, nodeSha256)).toBe(basisDigest(held, nodeSha256));
  });

  test.each<[string, Partial<HeldAction>, Difference]>([
    ['the policy', { policy: { revision: 4, digest: digestOfDigit('b') } }, { what: 'policy', name: 'revision', before: 3, after: 4 }],
    ['the impact', { impact: 'high' }, { what: 'impact', name: 'impact', before: 'medium', after: 'high' }],
    ['a rule that is new', { rules: [rule, { ...rule, id: 'second', read: [] }] }, { what: 'rule', name: 'second', before: null, after: 'STEP_UP' }],
    ['a rule that no longer takes part', { rules: [{ ...rule, read: [] }, { ...rule }].slice(0, 0) }, { what: 'rule', name: 'hold-deletes', before: 'STEP_UP', after: null }],
    ['a value that a rule reads', { rules: [{ ...rule, read: [{ field: 'parameters.limit', value: 10 }] }] }, { what: 'reading', name: 'parameters.limit, read by hold-deletes', before: 1500, after: 10 }],
    ['a label', { labels: [...held.labels, 'PHI'] }, { what: 'label', name: 'PHI', before: null, after: 'PHI' }],
    ['a higher level', { labels: ['RESTRICTED', 'PII'] }, { what: 'label', name: 'RESTRICTED', before: null, after: 'RESTRICTED' }],
    ['what would run', { transformed: { parameters: { table: 'crm.contacts', where: "email LIKE '%@example.com'", limit: 10 }, changes: [] } }, { what: 'argument', name: 'limit', before: 1500, after: 10 }],
    ['who registered the agent', { identity: { ...held.identity, registered_by: null } }, { what: 'identity', name: 'registered_by', before: person('root'), after: null }],
    ['a precondition', { preconditions: [{ name: 'precondition.digest', value: 'abc' }] }, { what: 'precondition', name: 'precondition.digest', before: null, after: 'abc' }],
    ['the quorum', { approvers: { ...held.approvers, quorum: 2 } }, { what: 'approvers', name: 'quorum', before: 1, after: 2 }],
  ])('is %s, and then votes on the one do not cover the other', (_name, changes, expected) => {
    const found = differences(changes);
    expect(found).toContainEqual(expected);
    expect(outdatesVotes(found)).toBe(true);
    expect(basisDigest({ ...held, ...changes }, nodeSha256)).not.toBe(basisDigest(held, nodeSha256));
  });

  test('where a value came from is shown, and outdates votes only where a rule reads it', () => {
    const found = differences({ arguments: [table, { ...where, source: 'nowhere' }, limit] });
    expect(found).toEqual([{ what: 'source', name: 'where', before: 'untrusted_output', after: 'nowhere' }]);
    expect(outdatesVotes(found)).toBe(false);
    const reads = (source: string): Partial<HeldAction> => ({ rules: [{ ...rule, read: [{ field: 'provenance.where', value: source }] }] });
    expect(outdatesVotes(differences(reads('nowhere'), { ...held, ...reads('untrusted_output') }))).toBe(true);
  });

  test.each(['elapsed', 'time_window', 'velocity', 'sequence'])('%s moves by itself and outdates nothing', (field) => {
    const reads = (value: number): Partial<HeldAction> => ({ rules: [{ ...rule, read: [{ field, value }] }] });
    expect(differences(reads(2), { ...held, ...reads(1) })).toEqual([]);
  });

  test('a label that was lowered outdates nothing: it was judged with more', () => {
    expect(differences({ labels: ['INTERNAL'] })).toEqual([]);
  });

  test('the order of labels and of what a rule read as a set means nothing', () => {
    const reads = (value: string[]): Partial<HeldAction> => ({ rules: [{ ...rule, read: [{ field: 'data_classification', value }] }], labels: value });
    expect(differences(reads(['PII', 'CONFIDENTIAL']), { ...held, ...reads(['CONFIDENTIAL', 'PII']) })).toEqual([]);
  });

  test('no argument hides behind another’s name, and there are never more than are kept', () => {
    const odd = JSON.parse('{"__proto__": 1, "a.b": 2, "a": {"b": 3}}') as HeldAction['action']['parameters'];
    const found = differences({ transformed: null, action: { ...held.action, parameters: odd } }, { ...held, transformed: null, action: { ...held.action, parameters: {} } });
    expect(found.filter(({ what }) => what === 'argument').map(({ name, after }) => [name, after])).toEqual([['["a.b"]', 2], ['__proto__', 1], ['a.b', 3]].sort());
    const many = Object.fromEntries(Array.from({ length: mostDifferences + 5 }, (_, n) => [`k${String(n)}`, n]));
    expect(differences({ transformed: null, action: { ...held.action, parameters: many } })).toHaveLength(mostDifferences);
  });
});
