import { describe, expect, test } from 'vitest';

import type { Effect } from '@/lib/mediate/catalogue';
import type { JsonObject } from '@/lib/shared/json';

import { inferParameter } from './infer-parameter';

const role = (name: string, effect: Effect, schema: JsonObject = { type: 'string' }) => inferParameter(name, schema, true, effect).role ?? null;

describe('what a parameter is for', () => {
  test.each([
    ['recipients', 'communicate', 'recipients'], ['user_email', 'grant', 'recipients'], ['channel', 'communicate', 'recipients'], ['payee_iban', 'spend', 'recipients'],
    ['file_id', 'destructive', 'target'], ['hotel', 'spend', 'target'], ['anything', 'write', 'target'], ['user_id', 'write', 'target'],
    ['body', 'communicate', null], ['start_time', 'spend', null], ['subject', 'communicate', null],
    ['file_path', 'read', 'path'], ['command', 'execute', 'command'], ['sql', 'read', 'query'], ['query', 'read', null], ['city', 'read', null],
  ] as const)('%s of something that does %s: %s', (name, effect, wanted) => {
    expect(role(name, effect)).toBe(wanted);
  });

  test('an address is parsed as a URL only where the schema says that it is one', () => {
    expect(role('url', 'read', { type: 'string', format: 'uri' })).toBe('url');
    expect(role('url', 'read')).toBe('target');
  });

  test('numbers are amounts by their names, and what is done to things by number is a target', () => {
    expect(role('amount', 'spend', { type: 'number' })).toBe('amount');
    expect(role('id', 'write', { type: 'integer' })).toBe('target');
    expect(role('limit', 'write', { type: 'integer' })).toBe('amount');
    expect(role('persons', 'spend', { type: 'integer' })).toBeNull();
    expect(role('page', 'write', { type: 'integer' })).toBeNull();
  });

  test('secrets are kept out of sight, whatever they are called', () => {
    for (const name of ['password', 'new_password', 'apiKey', 'otp', 'access_token']) expect(inferParameter(name, { type: 'string' }, true, 'write').sensitive, name).toBe(true);
    expect(inferParameter('token_count', { type: 'integer' }, true, 'write').sensitive).toBeUndefined();
  });
});

describe('what a parameter takes', () => {
  test('the type of its schema; null and leaving out where it is optional', () => {
    expect(inferParameter('to', { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] }, false, 'communicate')).toEqual({
      type: 'array', items: 'string', scalar_or_array: true, optional: true, nullable: true, role: 'recipients',
    });
    expect(inferParameter('n', { type: ['integer', 'null'] }, true, 'read')).toEqual({ type: 'number', nullable: true });
    expect(inferParameter('kind', { enum: ['a', 'b'] }, true, 'read')).toEqual({ type: 'string' });
  });

  test('anything where the schema says nothing or two things', () => {
    expect(inferParameter('note', {}, true, 'read').type).toBe('any');
    expect(inferParameter('note', { anyOf: [{ type: 'string' }, { type: 'object' }] }, true, 'read').type).toBe('any');
    expect(inferParameter('rows', { type: 'array', items: { $ref: '#/x' } }, true, 'read')).toEqual({ type: 'array', items: 'any' });
  });
});
