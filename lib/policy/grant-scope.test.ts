import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Json } from '@/lib/shared/json';
import { act } from '@/lib/testing/context-builders';
import { policyFrom, policyText } from '@/lib/testing/engine-fixtures';

import { coversAction, parseGrantScope } from './grant-scope';
import { narrowsGrant, type GrantTerms } from './narrows-grant';

const policy = policyFrom(policyText('', 'directory: { internal_domains: [corp.example] }'));
const covers = (scope: Json, parameters: Readonly<Record<string, Json>>, [tool, operation]: readonly [string, string | null] = ['database', 'update']) =>
  coversAction({ tool, operation, scope }, act('database.update', { table: 'orders', set: { state: 'new' }, where: 'id = 1', ...parameters }), policy);

describe('a grant', () => {
  it.each<[string, Json, Readonly<Record<string, Json>>, boolean]>([
    ['without a scope covers any arguments', null, {}, true],
    ['covers an argument within its bound', { limit: { lte: 10 } }, { limit: 10 }, true],
    ['covers none beyond it', { limit: { lte: 10 } }, { limit: 11 }, false],
    ['covers no argument that is left out', { limit: { lte: 10 } }, {}, false],
    ['needs every condition', { limit: { lte: 10 }, table: ['orders', 'notes'] }, { limit: 5, table: 'customers' }, false],
    ['reads nested arguments', { 'set.state': 'new' }, {}, true],
    ['covers nothing when its scope cannot be read', { colour: 'red' }, {}, false],
    ['covers nothing by an empty scope', {}, {}, false],
    ['covers nothing by a scope that is no condition', 'everything', {}, false],
  ])('%s', (_, scope, parameters, wanted) => {
    expect(covers(scope, parameters)).toBe(wanted);
  });

  it('covers no other tool and no other operation', () => {
    expect(covers(null, {}, ['database', 'delete'])).toBe(false);
    expect(covers(null, {}, ['files', null])).toBe(false);
    expect(covers(null, {}, ['database', null])).toBe(true);
  });

  it('needs all of several values, and covers nothing that cannot be parsed', () => {
    const mail = (to: readonly string[]) => coversAction({ tool: 'email', operation: 'send', scope: { to: { domain_in: ['corp.example'] } } }, act('email.send', { to: [...to], body: 'x' }), policy);
    expect(mail(['ann@corp.example'])).toBe(true);
    expect(mail(['ann@corp.example', 'eve@elsewhere.example'])).toBe(false);
    const run = (command: string) => coversAction({ tool: 'shell', operation: 'exec', scope: { command: { starts_with: 'git log' } } }, act('shell.exec', { command }), policy);
    expect(run('git log --oneline')).toBe(true);
    expect(run('git log; rm -rf /')).toBe(false);
    expect(run('git log "$(')).toBe(false);
  });

  it('names every place of a scope that cannot be read', () => {
    const parsed = parseGrantScope({ tool: 'database', operation: 'update', scope: { colour: 'red', limit: { atmost: 3 } } }, policy.catalogue);
    expect(parsed).toMatchObject({ ok: false, error: { code: 'grant_invalid', issues: [{ path: 'colour' }, { path: 'limit.atmost' }] } });
  });
});

describe('a narrower grant', () => {
  const terms = (scope: Json, more: Partial<GrantTerms> = {}): GrantTerms => ({ agent: 'helper', tool: 'database', operation: 'update', scope, uses: 2, expires_at: '2030-01-01T00:00:00.000Z', ...more });

  it.each<[string, GrantTerms, boolean]>([
    ['the same', terms({ limit: { lte: 10 } }), true],
    ['a tighter bound', terms({ limit: { lte: 5 } }), true],
    ['one value within the bound', terms({ limit: 7 }), true],
    ['one condition more', terms({ limit: { lte: 10 }, table: 'orders' }), true],
    ['a wider bound', terms({ limit: { lte: 11 } }), false],
    ['a condition fewer', terms(null), false],
    ['another condition', terms({ table: 'orders' }), false],
    ['more uses', terms({ limit: { lte: 10 } }, { uses: 3 }), false],
    ['a later end', terms({ limit: { lte: 10 } }, { expires_at: '2030-01-01T00:00:00.001Z' }), false],
    ['another agent', terms({ limit: { lte: 10 } }, { agent: 'other' }), false],
    ['all operations', terms({ limit: { lte: 10 } }, { operation: null }), false],
  ])('%s', (_, narrow, wanted) => {
    expect(narrowsGrant(narrow, terms({ limit: { lte: 10 } }))).toBe(wanted);
  });

  const number = fc.integer({ min: -3, max: 3 });
  const condition: fc.Arbitrary<Json> = fc.oneof(
    number,
    fc.uniqueArray(number, { minLength: 1, maxLength: 4 }),
    fc.dictionary(fc.constantFrom('lt', 'lte', 'gt', 'gte', 'eq', 'not'), number, { minKeys: 1, maxKeys: 2 }),
    fc.record({ in: fc.uniqueArray(number, { minLength: 1, maxLength: 3 }) }),
    fc.record({ not_in: fc.uniqueArray(number, { minLength: 1, maxLength: 3 }) }),
  );

  it('never covers what the wider one does not', () => {
    fc.assert(fc.property(condition, condition, (narrow, wide) => {
      if (!narrowsGrant(terms({ limit: narrow }), terms({ limit: wide }))) return;
      for (const limit of [-4, -3, -2, -1, 0, 1, 2, 3, 4]) {
        if (covers({ limit: narrow }, { limit })) expect(covers({ limit: wide }, { limit })).toBe(true);
      }
    }), { numRuns: 3000 });
  });
});
