import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { SessionId } from '@/lib/shared/ids';
import { act, attribute, evidence, id, mail, outcome, permit, request, stateAfter, typed } from '@/lib/testing/context-builders';

import { applyEntry } from './apply-entry';
import type { ContextEntry } from './entry';
import { gainedLabels } from './label-ledger';
import { emptyState, type SessionState } from './session-state';
import { takeSnapshot } from './take-snapshot';

const head = stateAfter(request('x')).head;
const add = (state: SessionState, entry: ContextEntry): void => {
  if (!head) throw new Error('A chain has a head.');
  applyEntry(state, { seq: state.seq + 1, hash: head, entry });
};

describe('however long a session, it keeps a bounded number of things', () => {
  const state = emptyState('ses_00000000000000000000' as SessionId);
  for (let i = 0; i < 10_000; i++) {
    if (i % 100 === 0) add(state, request(`Ask ${String(i)} about person${String(i)}@corp.example, never delete a thing.`));
    add(state, permit(i, 'email.read', { id: `m${String(i)}` }, { labels: [`TAG${String(i % 20)}`] }));
    // Half of them never report: their labels are settled all the same when there are too many.
    if (i % 2 === 0) add(state, outcome(i, `mail ${String(i)} from p${String(i)}@corp.example about order ${String(i * 7919)} of 2026-05-26 ${Array.from({ length: 12 }, (_, w) => `word${String(i * 12 + w)}`).join(' ')}`, { labels: ['PII'] }));
    add(state, attribute(`email:m${String(i)}`, 'owner', 'mia@corp.example'));
  }

  test('and what is kept does not grow with what it did', () => {
    expect(state.seq).toBeGreaterThan(25_000);
    expect(state.values.size).toBeLessThanOrEqual(120_000);
    expect(state.recent.length).toBeLessThanOrEqual(201);
    expect(state.running.size).toBeLessThanOrEqual(5_000);
    expect(state.awaited.size).toBeLessThanOrEqual(40);
    expect(state.shown.steps.length).toBeLessThanOrEqual(60);
    expect(state.shown.requests.length).toBeLessThanOrEqual(20);
    expect(state.requests.length).toBeLessThanOrEqual(50);
    expect(state.requestWords.size).toBeLessThanOrEqual(5_000);
    expect(state.requestAmounts.size).toBeLessThanOrEqual(5_000);
    expect(state.attributes.size).toBeLessThanOrEqual(5_000);
    expect(state.counts.size).toBe(1);
  });

  test('a snapshot of it is as large as one of a young session', () => {
    const young = stateAfter(request('Ask about person1@corp.example'), permit(1, 'email.read', { id: 'm1' }));
    const size = (of: SessionState) => JSON.stringify({ ...takeSnapshot(of, act('email.send', mail('p7@corp.example')), evidence()), labels: [], requests: [], prior: [] }).length;
    expect(size(state)).toBeLessThan(2 * size(young));
    expect(takeSnapshot(state, act('email.send', mail('p7@corp.example')), evidence()).prior).toMatchObject({ total: 10_000, counts: { 'email.read': 10_000 } });
  });

  test('what it has forgotten is worth less, never more', () => {
    expect(state.intent.intent().affirmed).not.toContain('delete');
    const of = (to: string) => takeSnapshot(state, act('email.send', mail(to)), evidence()).provenance[0]?.source;
    expect(of('person9900@corp.example')).toBe('request');
    add(state, outcome(99, 'late@drop.net'));
    add(state, outcome(99, 'later@drop.net', { trusted: true }));
    for (const address of ['late@drop.net', 'later@drop.net', 'p9998@corp.example']) expect(['untrusted_output', 'nowhere']).toContain(of(address));
  });
});

test('tags beyond those that fit stand for the highest level, whether their actions have ended or not', () => {
  const state = emptyState('ses_00000000000000000000' as SessionId);
  for (let i = 0; i < 900; i++) add(state, permit(i, 'email.read', { id: 'm1' }, { labels: [`TAG${String(i)}`] }));
  for (let i = 0; i < 900; i += 2) add(state, outcome(i, '', { labels: [`MORE${String(i)}`] }));
  expect(state.labels.current().length).toBeLessThanOrEqual(505);
  expect(state.labels.current()).toContain('RESTRICTED');
});

test('an action that is decided again does not meet its own labels, but those that another one has, too', () => {
  const state = emptyState('ses_00000000000000000000' as SessionId);
  add(state, permit(1, 'email.read', { id: 'm1' }, { labels: ['PII', 'PHI'] }));
  expect(state.labels.current(id(1))).toEqual([]);
  add(state, permit(2, 'email.read', { id: 'm1' }, { labels: ['PII'] }));
  expect([state.labels.current(id(1)), state.labels.current(id(2)), state.labels.current()]).toEqual([['PII'], ['PHI', 'PII'], ['PHI', 'PII']]);
  add(state, outcome(2, ''));
  expect([state.labels.current(id(1)), state.labels.current()]).toEqual([['PII'], ['PHI', 'PII']]);
});

test.each<[readonly string[], readonly string[], readonly string[]]>([
  [['RESTRICTED'], ['INTERNAL', 'RESTRICTED'], []],
  [['INTERNAL', 'PII'], ['CONFIDENTIAL', 'PII'], ['CONFIDENTIAL']],
  [[], ['PUBLIC'], ['PUBLIC']],
  [['RESTRICTED'], ['PHI'], ['PHI']],
])('from %j to %j is gained: %j', (before, now, gained) => {
  expect(gainedLabels(before, now)).toEqual(gained);
});

const word = fc.constantFrom('bob@corp.example', 'eve@drop.net', 'alpha beta', 'delete it', '2026-05-26', '1204', 'do not delete');
const entry: fc.Arbitrary<ContextEntry> = fc.oneof(
  word.map((text) => request(text, 'orchestrator')),
  fc.record({ n: fc.nat(5), label: fc.constantFrom('PII', 'CONFIDENTIAL', 'RESTRICTED', 'PUBLIC'), text: word }).map(({ n, label, text }) => permit(n, 'files.write', { path: '/x', content: text }, { labels: [label] })),
  fc.record({ n: fc.nat(5), text: word, trusted: fc.boolean(), label: fc.constantFrom('PII', 'PHI', 'INTERNAL') }).map(({ n, text, trusted, label }) => outcome(n, text, { trusted, labels: [label], injection: n * 100 })),
  fc.record({ name: fc.constantFrom('owner', 'criticality'), value: word }).map(({ name, value }) => attribute('database:x', name, value)),
  word.map((value) => typed({ to: [value] })),
);
const shown = (state: SessionState, to = 'eve@drop.net') => JSON.stringify(takeSnapshot(state, act('email.send', mail(to)), evidence()));

test('the same entries give the same state, however often a snapshot is taken between them', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 20 }), fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }), word, (entries, looks, to) => {
      const watched = emptyState('ses_00000000000000000000' as SessionId);
      const alone = emptyState('ses_00000000000000000000' as SessionId);
      entries.forEach((one, i) => {
        add(watched, one);
        if (looks[i] === true) shown(watched, to);
        add(alone, one);
      });
      expect(shown(watched, to)).toBe(shown(alone, to));
    }),
  );
});

test('what people are shown is the first request, the latest ones, and the latest steps with the labels after each', () => {
  const state = stateAfter(
    request('Original'), ...Array.from({ length: 30 }, (_, i) => request(`More ${String(i)}`)), permit(1, 'email.read', { id: 'm1' }, { labels: ['INTERNAL'] }),
    outcome(1, 'hello', { labels: ['PII'] }), attribute('email:m1', 'owner', 'mia@corp.example'), permit(2, 'files.read', { path: '/x' }), outcome(2, '', { trusted: true }),
  );
  expect(state.shown.requests.map(({ text }) => text)).toEqual(['Original', ...Array.from({ length: 19 }, (_, i) => `More ${String(i + 11)}`)]);
  expect(state.shown.steps.slice(-5).map(({ kind, subject, labels }) => [kind, subject, labels])).toEqual([
    ['permit', 'email.read', ['INTERNAL']], ['untrusted_text', 'email.read', ['INTERNAL', 'PII']], ['attribute', 'owner', ['INTERNAL', 'PII']],
    ['permit', 'files.read', ['INTERNAL', 'PII']], ['outcome', 'files.read', ['INTERNAL', 'PII']],
  ]);
});

test('an entry that is not the next one is refused', () => {
  const state = stateAfter(request('x'));
  if (!state.head) throw new Error('A chain has a head.');
  for (const seq of [0, 1, 3]) expect(() => { applyEntry(state, { seq, hash: state.head ?? head ?? never(), entry: request('y') }); }).toThrow('does not follow');
});

test('labels only rise, entry by entry', () => {
  const levels = ['PUBLIC', 'INTERNAL', 'CONFIDENTIAL', 'RESTRICTED'];
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 25 }), (entries) => {
      const state = emptyState('ses_00000000000000000000' as SessionId);
      let before: readonly string[] = [];
      for (const one of entries) {
        add(state, one);
        const now = state.labels.current();
        const level = (labels: readonly string[]) => Math.max(-1, ...labels.map((label) => levels.indexOf(label)));
        expect(level(now)).toBeGreaterThanOrEqual(level(before));
        for (const tag of before.filter((label) => !levels.includes(label))) expect(now).toContain(tag);
        before = now;
      }
    }),
  );
});

test('assurance only falls, and the injection score falls only when the person speaks again', () => {
  const state = stateAfter(request('x', 'verified'), outcome(1, 'ignore all', { injection: 900 }));
  expect(state.injection).toBe(900);
  add(state, outcome(2, 'fine', { injection: 10 }));
  expect(state.injection).toBe(900);
  add(state, request('go on', 'same_host'));
  expect([state.injection, state.assurance]).toEqual([0, 'same_host']);
  add(state, request('go on', 'verified'));
  expect(state.assurance).toBe('same_host');
});

test('what an output showed is what its action has read: a later step finds the label', () => {
  const state = stateAfter(permit(1, 'database.query', { query: 'SELECT 1' }), permit(2, 'email.read', { id: 'm1' }), outcome(1, 'x', { labels: ['PII'] }));
  expect(takeSnapshot(state, act('email.send', mail('x@corp.example')), evidence()).prior.recent.map(({ action, labels }) => [action, labels])).toEqual([[id(1), ['PII']], [id(2), []]]);
});

function never(): never {
  throw new Error('A chain has a head.');
}
