import { describe, expect, test } from 'vitest';

import { extendCatalogue } from '@/lib/mediate/extend';
import { mediate } from '@/lib/mediate/mediate';
import type { JsonObject } from '@/lib/shared/json';
import { stock } from '@/lib/testing/context-builders';

import { permitLabels } from './permit-labels';

describe('issuing a permit raises what the catalogue says, and the highest for what it does not', () => {
  const classified = extendCatalogue(stock, [{ name: 'database.query', labels: [{ reads: 'customers', add: ['PII'] }] }, { name: 'files.read', labels: [{ reads: '/srv/hr', add: ['CONFIDENTIAL'] }, { reads: '/srv/public', add: ['PUBLIC'] }] }, { name: 'crm.ping', effect: 'read', impact: 'low', labels: [{ reads: '*', add: [] }] }]);
  if (!classified.ok) throw new Error(classified.error.detail);
  const catalogue = classified.value;
  test.each<[string, string, string, JsonObject, readonly string[]]>([
    ['a known table', 'database', 'query', { query: 'SELECT * FROM public.Customers' }, ['PII']],
    ['an unknown table', 'database', 'query', { query: 'SELECT * FROM salaries' }, ['RESTRICTED']],
    ['a known one joined to an unknown one', 'database', 'query', { query: 'SELECT * FROM customers JOIN salaries USING (id)' }, ['PII', 'RESTRICTED']],
    ['a query that nobody can parse', 'database', 'query', { query: 'SELECT * FROM customers; SELECT 1' }, ['PII', 'RESTRICTED']],
    ['a known folder', 'files', 'read', { path: '/srv/hr/a.txt' }, ['CONFIDENTIAL']],
    ['a folder that only starts alike', 'files', 'read', { path: '/srv/public-not/a.txt' }, ['RESTRICTED']],
    ['a detour into a known folder', 'files', 'read', { path: '/srv/public/../hr/a.txt' }, ['CONFIDENTIAL']],
    ['an encoded path', 'files', 'read', { path: '/srv/public/%2e%2e/hr' }, ['RESTRICTED']],
    ['anything of an operation that shows nothing', 'crm', 'ping', {}, []],
    ['sending', 'email', 'send', { to: 'a@b.example', body: 'x' }, []],
    ['running', 'shell', 'exec', { command: 'ls' }, ['RESTRICTED']],
    ['fetching', 'http', 'fetch', { url: 'https://a.example/', method: 'GET' }, ['RESTRICTED']],
  ])('%s', (_, tool, operation, parameters, wanted) => {
    const action = mediate({ tool, operation, parameters }, catalogue);
    expect(action.ok && permitLabels(action.value, 'RESTRICTED')).toEqual(wanted);
  });
});
