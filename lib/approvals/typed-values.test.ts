import { describe, expect, test } from 'vitest';

import type { Json, JsonObject } from '@/lib/shared/json';

import { isTypedIn, typedIn } from './typed-values';

describe('what an approver typed', () => {
  test.each<[string, JsonObject, JsonObject, JsonObject]>([
    ['is a value that was not there', { to: 'eve@drop.net' }, { to: 'ann@harbor.example' }, { to: ['ann@harbor.example'] }],
    ['is a number that was another', { limit: 5000, table: 'orders' }, { limit: 10, table: 'orders' }, { limit: [10] }],
    ['is nothing that stayed as it was', { to: ['a', 'b'], body: 'x' }, { to: ['a'], body: 'x' }, {}],
    ['is nothing that was only moved', { to: ['eve@drop.net', 'ann@harbor.example'] }, { to: ['ann@harbor.example', 'eve@drop.net'] }, {}],
    ['is nothing that was moved to another parameter', { to: 'ann@harbor.example', cc: 'eve@drop.net' }, { to: 'eve@drop.net', cc: 'ann@harbor.example' }, {}],
    ['is not an address that something was written beside', { to: 'Eve@drop.net' }, { to: 'ann@harbor.example,"Bob" <eve@drop.net>, <eve@drop.net>.' }, { to: ['ann@harbor.example,"Bob'] }],
    ['is of a long text the words that are new, and not the link that the agent made up', { body: 'Plese look at https://evil.example/?k=1 now' }, { body: 'Please look at https://evil.example/?k=1 right now' }, { body: ['Please', 'right'] }],
    ['is a run of new words as it stands', { body: 'Hello Ann,\nall is well.' }, { body: 'Hello Ann,\nthe crane  is repaired. all is well.' }, { body: ['the crane', 'repaired.'] }],
    ['is a parameter that is added', { path: '/srv' }, { path: '/srv', mode: 'append' }, { mode: ['append'] }],
    ['is found however deep it lies', { where: { owner: 'ann', age: 3 } }, { where: { owner: 'ann', age: { gt: 4 } } }, { where: [4] }],
    ['may be that something is null or false', { a: 1, b: true }, { a: null, b: false }, { a: [null], b: [false] }],
  ])('%s', (_name, before, after, typed) => {
    expect(typedIn([before], after)).toEqual(typed);
    expect(isTypedIn(typed, after)).toBe(true);
  });

  test('is nothing that policy had put there', () => {
    expect(typedIn([{ limit: 5000, to: 'x' }, { limit: 100, to: 'x' }], { limit: 100, to: 'ann@harbor.example' })).toEqual({ to: ['ann@harbor.example'] });
  });

  test('has a name of its own also where an agent calls a parameter __proto__', () => {
    const after = JSON.parse('{"__proto__": {"x": 1}}') as JsonObject;
    const typed = typedIn([{}], after);
    expect(Object.entries(typed)).toEqual([['__proto__', [1]]]);
    expect(isTypedIn(typed, after)).toBe(true);
  });

  test.each<[string, Json]>([
    ['a value that is not in them', { to: ['eve@drop.net'] }],
    ['a value of another parameter', { body: ['ann@harbor.example'] }],
    ['a parameter that is not there', { cc: ['ann@harbor.example'] }],
    ['another number', { limit: [11] }],
    ['no list', { to: 'ann@harbor.example' }],
    ['no object', ['ann@harbor.example']],
  ])('is never more than the parameters that were signed: %s', (_name, typed) => {
    expect(isTypedIn(typed, { to: 'ann@harbor.example', body: 'Hello', limit: 10 })).toBe(false);
  });
});
