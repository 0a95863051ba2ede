import { describe, expect, it } from 'vitest';

import type { ContextEntry } from '@/lib/context/entry';
import { outcome, permit, snap, stateAfter } from '@/lib/testing/context-builders';
import type { Digest, PersonId, SessionId } from '@/lib/shared/ids';

import { carriesLowered, isLowering, LabelLedger } from './label-ledger';
import { LabelOrigins } from './label-origins';

const lowered = (label: string, to: string | null = null): ContextEntry => ({
  kind: 'lowering', at: '2026-03-01T10:00:00.000Z', label, to, person: 'per_00000000000000000000' as PersonId, statement: 'a'.repeat(64) as Digest,
});
const query = { query: 'SELECT * FROM customers' };
const seen = (...labels: readonly string[]) => [permit(1, 'database.query', query, { labels }), outcome(1, 'rows')];
const labelsAfter = (...entries: readonly ContextEntry[]) => snap(stateAfter(...entries), 'email.send', { to: 'a@b.example', body: 'x' }).labels;

describe('lowering a label', () => {
  it.each([
    ['PII', null, true], ['PII', 'PUBLIC', false], ['PII', 'PHI', false],
    ['RESTRICTED', 'INTERNAL', true], ['RESTRICTED', 'RESTRICTED', false], ['INTERNAL', 'RESTRICTED', false], ['RESTRICTED', null, false], ['RESTRICTED', 'PII', false],
  ])('%s to %s is one: %s', (label, to, is) => {
    expect(isLowering(label, to)).toBe(is);
  });

  it('takes a tag away and lets a level become the lower one, and no other label with it', () => {
    expect(labelsAfter(...seen('PII', 'RESTRICTED'), lowered('PII'))).toEqual(['RESTRICTED']);
    expect(labelsAfter(...seen('PII', 'RESTRICTED', 'CONFIDENTIAL'), lowered('RESTRICTED', 'INTERNAL'))).toEqual(['INTERNAL', 'PII']);
    expect(labelsAfter(...seen('PII', 'RESTRICTED'), lowered('CONFIDENTIAL', 'INTERNAL'))).toEqual(['PII', 'RESTRICTED']);
  });

  it('does nothing where it is none', () => {
    expect(labelsAfter(...seen('PII', 'RESTRICTED'), lowered('RESTRICTED'), lowered('PII', 'PUBLIC'), lowered('PHI'))).toEqual(['PII', 'RESTRICTED']);
  });

  it('lasts until something shows the label again', () => {
    const after = [...seen('PII'), lowered('PII')];
    expect(labelsAfter(...after)).toEqual([]);
    expect(labelsAfter(...after, permit(2, 'database.query', query, { labels: ['PII'] }))).toEqual(['PII']);
    expect(labelsAfter(...after, permit(2, 'database.query', query), outcome(2, 'x', { labels: ['PII'] }))).toEqual(['PII']);
  });

  it('leaves what an action that is out will show', () => {
    expect(labelsAfter(permit(1, 'database.query', query, { labels: ['PII'] }), lowered('PII'))).toEqual(['PII']);
    expect(labelsAfter(permit(1, 'database.query', query, { labels: ['PII'] }), lowered('PII'), outcome(1, 'rows'))).toEqual(['PII']);
  });

  it('leaves the steps of the past as they were', () => {
    expect(snap(stateAfter(...seen('PII'), lowered('PII')), 'email.send', { to: 'a@b.example', body: 'x' }).prior.recent[0]?.labels).toEqual(['PII']);
  });

  it('does not bring back tags that were forgotten for the highest level', () => {
    const ledger = new LabelLedger();
    for (let n = 0; n < 600; n++) ledger.raise([`TAG${String(n)}`]);
    ledger.lower('RESTRICTED', 'PUBLIC');
    expect(ledger.current()).toContain('RESTRICTED');
  });
});

it('what others keep brings a label back when it is the tag, or a level as high', () => {
  expect([carriesLowered(['PII'], 'PII'), carriesLowered(['PHI'], 'PII'), carriesLowered(['RESTRICTED'], 'CONFIDENTIAL'), carriesLowered(['INTERNAL'], 'CONFIDENTIAL')]).toEqual([true, false, true, false]);
});

describe('where labels came from', () => {
  const played = (...entries: readonly ContextEntry[]) => {
    const labels = new LabelOrigins();
    entries.forEach((entry, at) => labels.take({ seq: at + 1, hash: 'b'.repeat(64) as Digest, entry }));
    return labels;
  };

  it('is what an action was permitted with and what its output showed', () => {
    expect(played(permit(1, 'database.query', query, { labels: ['PII'] }), outcome(1, 'x', { labels: ['SECRET'] })).current()).toMatchObject([
      { label: 'PII', open: false, origins: [{ seq: 1, how: 'permit', where: 'database.query' }] },
      { label: 'SECRET', open: false, origins: [{ seq: 2, how: 'outcome', where: 'database.query' }] },
    ]);
  });

  it('is forgotten with a lowering, and the level that it left comes from the person', () => {
    expect(played(...seen('RESTRICTED', 'PII'), lowered('RESTRICTED', 'INTERNAL'), lowered('PII')).current()).toMatchObject([{ label: 'INTERNAL', origins: [{ seq: 3, how: 'lowered', where: 'per_00000000000000000000' }] }]);
  });

  it('is open while an action carries it that has not reported', () => {
    expect(played(permit(1, 'database.query', query, { labels: ['PII'] })).current()).toMatchObject([{ label: 'PII', open: true }]);
  });

  it('is the session above for what a child began with', () => {
    const child = new LabelOrigins();
    child.inherit(played(...seen('PII')), 'ses_00000000000000000001' as SessionId, '2026-03-01T10:00:00.000Z');
    expect(child.current()).toMatchObject([{ label: 'PII', origins: [{ how: 'inherited', where: 'ses_00000000000000000001' }] }]);
  });

  it('agrees with what the session decides by', () => {
    const entries = [...seen('PII', 'RESTRICTED'), lowered('PII'), permit(3, 'database.query', query, { labels: ['PHI'] }), lowered('RESTRICTED', 'PUBLIC')];
    expect(played(...entries).current().map(({ label }) => label)).toEqual(labelsAfter(...entries));
  });
});
