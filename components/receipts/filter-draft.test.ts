import { describe, expect, it } from 'vitest';

import { noFilters } from '@/lib/client/receipts-url';

import { draftOf, readDraft } from './filter-draft';

const empty = draftOf(noFilters);

describe('the form of exact filters', () => {
  it('applies what is filled in and takes away what is emptied', () => {
    expect(readDraft({ ...empty, agent: ' ops ', revision: '7' })).toMatchObject({ ok: true, value: { agent: 'ops', revision: '7', tool: null, rule: null } });
  });

  it('takes times as UTC, and a chosen time in the place of a span', () => {
    expect(readDraft({ ...empty, from: '2026-11-30T13:22' })).toMatchObject({ ok: true, value: { from: '2026-11-30T13:22:00.000Z', to: null, span: null } });
    expect(draftOf({ ...noFilters, from: '2026-11-30T13:22:00.000Z' }).from).toBe('2026-11-30T13:22');
    expect(draftOf({ ...noFilters, from: '2026-11-30T13:22:05.000Z' }).from).toBe('2026-11-30T13:22:05');
  });

  it('leaves a span alone when no time is chosen', () => {
    expect(readDraft({ ...empty, agent: 'ops' })).not.toHaveProperty('value.span');
  });

  it.each([
    ['session', { session: 'ses_1' }],
    ['revision', { revision: 'seven' }],
    ['to', { from: '2026-11-30T13:22', to: '2026-11-30T13:22' }],
  ] as const)('says at the field "%s" what is wrong, and applies nothing', (field, typed) => {
    const read = readDraft({ ...empty, ...typed });
    expect(read).toMatchObject({ ok: false });
    expect(read.ok ? [] : Object.keys(read.errors)).toEqual([field]);
  });
});
