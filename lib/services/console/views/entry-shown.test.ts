import { describe, expect, it } from 'vitest';

import type { Roster } from '@/lib/authority/roster';
import type { Digest, PersonId } from '@/lib/shared/ids';

import { entryShown } from './entry-shown';

const at = '2026-03-01T10:00:00.000Z';
const person = 'per_olga' as PersonId;
const roster: Pick<Roster, 'people'> = { people: [{ id: person, email: 'olga@harbor.example', name: 'Olga Lindqvist', roles: ['owner'], groups: [], keys: [] }] };
const lowering = { kind: 'lowering', at, label: 'CONFIDENTIAL', to: 'INTERNAL', person, statement: 'a'.repeat(64) as Digest } as const;

describe('a step of a session names who signed it', () => {
  it('as the roster does, where a label was lowered or taken away', () => {
    expect(entryShown(lowering, roster).text).toBe('CONFIDENTIAL lowered to INTERNAL by Olga Lindqvist');
    expect(entryShown({ ...lowering, label: 'PII', to: null }, roster).text).toBe('PII taken away by Olga Lindqvist');
  });

  it('as the roster does, where a fact was supplied', () => {
    const fact = { kind: 'attribute', at, subject: 'calendar:standup', name: 'purpose', value: 'moved', unavailable: false, source: 'requester', observed_at: at, person } as const;
    expect(entryShown(fact, roster).text).toBe('calendar:standup purpose = "moved" (requester, signed by Olga Lindqvist)');
  });

  it('by id alone, where no roster in force lists the person', () => {
    expect(entryShown(lowering, undefined).text).toBe('CONFIDENTIAL lowered to INTERNAL by per_olga');
    expect(entryShown(lowering, { people: [] }).text).toBe('CONFIDENTIAL lowered to INTERNAL by per_olga');
  });
});
