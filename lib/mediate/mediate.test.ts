import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { describe, expect, test } from 'vitest';

import type { JsonObject } from '@/lib/shared/json';

import { digestCatalogue } from './digest-catalogue';
import { extendCatalogue, type ToolExtension } from './extend';
import { mediate } from './mediate';
import { stockCatalogue } from './stock';

const stock = stockCatalogue(nobleSha256);
const tryAction = (tool: string, operation: string, parameters: JsonObject) => mediate({ tool, operation, parameters }, stock);
const good = (tool: string, operation: string, parameters: JsonObject) => {
  const result = tryAction(tool, operation, parameters);
  if (!result.ok) throw new Error(result.error.detail);
  return result.value;
};
const code = (tool: string, operation: string, parameters: JsonObject) => {
  const result = tryAction(tool, operation, parameters);
  return result.ok ? 'ok' : result.error.code;
};

describe('a proposal means one canonical action or none', () => {
  test.each([['mail', 'send', { to: 'a@b.example', body: 'x' }, 'email'], ['db', 'drop', { table: 't' }, 'database'], ['file', 'read', { path: 'a' }, 'files'], ['pay', 'list', {}, 'payments']] as const)(
    'the alias %s resolves',
    (alias, operation, parameters, name) => {
      expect(good(alias, operation, parameters).tool).toBe(name);
    },
  );

  test.each([
    ['an unknown tool', 'emails', 'send'],
    ['an unknown operation', 'email', 'sent'],
    ['another case', 'Email', 'send'],
    ['a look-alike letter', 'еmail', 'send'],
    ['a trailing blank', 'email ', 'send'],
    ['a prototype name', '__proto__', 'constructor'],
    ['tool and operation divided elsewhere', 'email.send', ''],
  ])('%s is refused', (_, tool, operation) => {
    expect(code(tool, operation, {})).toBe('unknown_tool');
  });

  test('an unknown name comes with the nearest ones', () => {
    const result = tryAction('email', 'sent', {});
    expect(result.ok ? '' : result.error.fix).toContain('email.send');
  });

  test.each<[string, string, string, JsonObject, string]>([
    ['a text for a number', 'payments', 'transfer', { to: 'x', amount: '5000', currency: 'EUR' }, 'parameters.amount'],
    ['a number for a text', 'files', 'read', { path: 5 }, 'parameters.path'],
    ['a fraction for an integer', 'database', 'delete', { table: 't', limit: 1.5 }, 'parameters.limit'],
    ['null', 'files', 'read', { path: null }, 'parameters.path'],
    ['an object for a text', 'shell', 'exec', { command: { toString: 'x' } }, 'parameters.command'],
    ['a number in a list of texts', 'email', 'send', { to: ['a@b.example', 1], body: '' }, 'parameters.to'],
    ['an unknown parameter', 'files', 'read', { path: 'a', mode: 'x' }, 'parameters.mode'],
    ['an inherited name', 'files', 'read', { path: 'a', constructor: 'x' }, 'parameters.constructor'],
    ['a missing parameter', 'email', 'send', { to: 'a@b.example' }, 'parameters.body'],
  ])('%s is refused, with its path', (_, tool, operation, parameters, path) => {
    const result = tryAction(tool, operation, parameters);
    expect(result.ok ? [] : [result.error.code, result.error.issues?.[0]?.path]).toEqual(['invalid_parameters', path]);
  });

  test('every misfit is named at once', () => {
    const result = tryAction('payments', 'transfer', { amount: '1', extra: 1 });
    expect(result.ok ? [] : result.error.issues?.map((issue) => issue.path)).toEqual(['parameters.amount', 'parameters.extra', 'parameters.to', 'parameters.currency']);
  });

  test('parameters are handed on exactly as they came', () => {
    const parameters = { to: ['Bob <B@Corp.example>'], body: 'x' };
    expect(good('email', 'send', parameters).parameters).toBe(parameters);
  });
});

describe('a call of a tool through a tool is that tool', () => {
  test.each<[string, JsonObject]>([
    ['by name and arguments', { name: 'files.delete', arguments: { path: 'a' } }],
    ['by tool, operation and parameters', { tool: 'files', operation: 'delete', parameters: { path: 'a' } }],
    ['twice wrapped', { name: 'tools.run', arguments: { name: 'files.delete', arguments: { path: 'a' } } }],
  ])('%s', (_, parameters) => {
    const action = good('tools', 'call', parameters);
    expect([action.tool, action.operation, action.parameters]).toEqual(['files', 'delete', { path: 'a' }]);
  });

  test('an unclear wrapper is refused', () => {
    expect(code('tools', 'call', { name: 'files.delete', tool: 'files.read', arguments: {} })).toBe('invalid_parameters');
    expect(code('tools', 'call', { name: 'files.delete', arguments: { path: 'a' }, confirm: true })).toBe('invalid_parameters');
  });
});

describe('the catalogue', () => {
  test('stock@1 keeps its meaning', () => {
    // A changed entry changes what signed policies mean: it needs stock@2 beside this one.
    expect([stock.name, stock.version, stock.digest]).toMatchInlineSnapshot(`
      [
        "stock",
        1,
        "9c61260ef4963da8f40d80cdb747255a91e8666b2ab106d6699101038292ddc9",
      ]
    `);
  });

  test('whatever calls a host communicates: an address alone can carry a secret', () => {
    const calling = [...stock.entries.values()].filter((entry) => Object.values(entry.parameters).some(({ role }) => role === 'url'));
    expect(calling.map(({ tool, operation, effect }) => `${tool}.${operation} ${effect}`).sort()).toEqual([
      'browser.download communicate', 'browser.open communicate', 'git.clone communicate', 'http.fetch communicate',
    ]);
  });

  test('stock takes no decision and closes every schema', () => {
    for (const entry of stock.entries.values()) expect([entry.decision, entry.open]).toEqual([undefined, undefined]);
  });

  test('the digest covers every field and no order', () => {
    const { digest, ...rest } = stock;
    expect(digestCatalogue(nobleSha256, { ...rest, entries: new Map([...rest.entries].reverse()) })).toBe(digest);
    for (const change of [{ grant: true }, { trusted: true }, { impact: 'critical' as const }, { open: true }, { labels: [{ reads: '*', add: ['PII'] }] }, { parameters: {} }]) {
      const entries = new Map(rest.entries);
      const old = entries.get('email.send');
      if (old) entries.set('email.send', { ...old, ...change });
      expect(digestCatalogue(nobleSha256, { ...rest, entries })).not.toBe(digest);
    }
  });

  const extend = (tools: readonly ToolExtension[]) => extendCatalogue(stock, tools);

  test('a policy adds operations and changes named fields of stock ones', () => {
    const result = extend([
      { name: 'crm.export', effect: 'read', impact: 'medium', parameters: { id: { type: 'string', role: 'target' } } },
      { name: 'db.query', trusted: true },
    ]);
    if (!result.ok) throw new Error(result.error.detail);
    expect(result.value.entries.get('crm.export')).toMatchObject({ tool: 'crm', operation: 'export', grant: false });
    expect(result.value.entries.get('database.query')).toMatchObject({ trusted: true, effect: 'read', parameters: { query: { role: 'query' } } });
    expect(stock.entries.get('database.query')?.trusted).toBe(false);
  });

  test.each<[string, readonly ToolExtension[], string]>([
    ['a name twice', [{ name: 'a.b', effect: 'read', impact: 'low' }, { name: 'a.b', effect: 'read', impact: 'low' }], 'tools[1].name'],
    ['a name twice, once by its alias', [{ name: 'db.query', trusted: true }, { name: 'database.query', grant: true }], 'tools[1].name'],
    ['a name without operation', [{ name: 'crm', effect: 'read', impact: 'low' }], 'tools[0].name'],
    ['a name that looks like another', [{ name: 'сrm.export', effect: 'read', impact: 'low' }], 'tools[0].name'],
    ['a new operation without effect', [{ name: 'crm.export', impact: 'low' }], 'tools[0]'],
  ])('%s is an error with its place', (_, tools, path) => {
    const result = extend(tools);
    expect(result.ok ? [] : result.error.issues?.map((issue) => issue.path)).toEqual([path]);
  });

  test('names that differ in one character stay two tools', () => {
    const result = extend([{ name: 'docs.read-file', effect: 'read', impact: 'low' }, { name: 'docs.read_file', effect: 'write', impact: 'high' }]);
    expect(result.ok && [result.value.entries.get('docs.read-file')?.effect, result.value.entries.get('docs.read_file')?.effect]).toEqual(['read', 'write']);
  });
});
