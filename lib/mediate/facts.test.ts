import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { JsonObject } from '@/lib/shared/json';

import { analyseQuery } from './analyse-query';
import { deriveFacts } from './facts';
import { looksLike, skeleton } from './look-alike';
import { normalisePath } from './normalise-path';
import { parseRecipients } from './parse-recipients';
import { parseUrl } from './parse-url';
import { stockCatalogue } from './stock';

const stock = stockCatalogue(nobleSha256);
const facts = (key: string, parameters: JsonObject) => {
  const entry = stock.entries.get(key);
  if (!entry) throw new Error(`no ${key}`);
  return deriveFacts(entry, parameters);
};

describe('a query is what its statement does', () => {
  test.each([
    ['a plain select', 'SELECT a FROM orders o JOIN crm.people p ON true', ['crm.people', 'orders']],
    ['words that are only data', "SELECT id FROM changes WHERE op = 'DELETE' AND note LIKE '%drop table%'", ['changes']],
    ['a common table expression', 'WITH x AS (SELECT * FROM "Orders") SELECT count(*) FROM x', ['orders']],
    ['subqueries', 'SELECT 1 FROM a WHERE id IN (SELECT id FROM b) UNION SELECT 2 FROM c', ['a', 'b', 'c']],
    ['the default schema', 'select * from public.customers', ['customers']],
    ['a comment', '/* report */ SELECT 1 FROM t -- all', ['t']],
  ])('%s reads only', (_, query, tables) => {
    expect(facts('database.query', { query })).toMatchObject({ tables, opaque: [] });
  });

  test.each([
    ['a leading comment', '/* report */ UPDATE orders SET total = 0'],
    ['a comment for a blank', 'DROP/**/TABLE orders'],
    ['a file for an answer', "SELECT 1 INTO/**/OUTFILE '/tmp/x'"],
    ['a comment that some servers run', 'SELECT 1 /*!50000 ; DROP TABLE orders */'],
    ['several statements', 'SELECT 1; COMMIT; SET TRANSACTION READ WRITE; DELETE FROM orders'],
    ['two reads', 'SELECT 1; SELECT 2'],
    ['a quote in a bracketed name', "SELECT [it's] FROM notes;DROP TABLE orders --'"],
    ['a line break for a separator', 'SELECT id FROM orders\nSHUTDOWN WITH NOWAIT'],
    ['a function that reads files', "SELECT pg_read_file('/etc/passwd')"],
    ['a function nobody knows', 'SELECT do_things(1)'],
    ['a known name in another schema', 'SELECT evil.lower(1)'],
    ['a write inside a read', 'WITH x AS (DELETE FROM a RETURNING *) SELECT * FROM x'],
    ['a table made by a read', 'SELECT * INTO b FROM a'],
    ['a backslash before a quote', "SELECT 'a\\'; drop table x; --'"],
    ['nested comments', 'SELECT /* a /* b */ 1 */ 2'],
    ['a comment that is none elsewhere', 'SELECT 1 --;DROP TABLE x'],
    ['a command of the server', 'COPY t TO PROGRAM \'sh\''],
    ['nothing', ' '],
    ['too much', `SELECT ${'a,'.repeat(4000)} b`],
    ['too deep', `SELECT ${'('.repeat(100)}1${')'.repeat(100)}`],
  ])('%s is opaque to an operation that reads', (_, query) => {
    expect(facts('database.query', { query }).opaque).toEqual(['query']);
  });

  test('tables stay visible when a query writes', () => {
    expect(facts('database.query', { query: 'DELETE FROM customers' })).toMatchObject({ tables: ['customers'], opaque: ['query'] });
  });

  test('hostile queries take bounded time and never throw', () => {
    for (const bomb of ['(', 'select ', '/*', "'", 'case when ', '- ', 'a=1 or ', 'array[', '"', '$$', '1+', 'a,', 'not ']) {
      const start = performance.now();
      analyseQuery(`select ${bomb.repeat(3900 / bomb.length)}`);
      analyseQuery(bomb.repeat(200_000));
      expect(performance.now() - start).toBeLessThan(1500);
    }
  });
});

test('a query of more parts than anybody could follow is opaque, on every machine', () => {
  expect(analyseQuery(`select ${'1+'.repeat(300)}1`)).toMatchObject({ effect: 'read', whole: true });
  expect(analyseQuery(`select ${'1+'.repeat(1000)}1`).whole).toBe(false);
  expect(analyseQuery(`select 1 from ${'a,'.repeat(1000)}b`).whole).toBe(false);
});

test('a query that is well-formed to its end breaks no stack', () => {
  for (const part of ['1+', 'a,', '- ', 'not ', 'a=1 or ']) {
    for (const times of [300, 1900]) expect(() => analyseQuery(`select ${part.repeat(times)}1`)).not.toThrow();
  }
});

describe('a path is the one that would be opened', () => {
  test.each([
    ['/data/project/../secret.txt', '/data/secret.txt'],
    ['reports//2026/./q3.txt/', 'reports/2026/q3.txt'],
    ['a/b/../../c', 'c'],
    ['cafe\u0301.txt', 'café.txt'],
    ['.env.example', '.env.example'],
    ['secrets/.vault/token', 'secrets/.vault/token'],
    ['/', '/'],
    ['C:\\Users\\x\\..\\y', 'C:/Users/y'],
  ])('%s is %s', (given, wanted) => {
    expect(normalisePath(given)).toBe(wanted);
  });

  test.each(['../etc/passwd', 'a/../../b', '/../etc', 'reports/%2e%2e/%2e%2e/etc/passwd', 'a%252fb', 'a\0b', 'a\\..\\b', '．．/x', 'a\u200b/b', 'file:///etc/passwd', '', '~/../root/x', 'a\nb', 'a%c0%ae', 'x'.repeat(5000)])(
    '%j is opaque',
    (given) => {
      expect(normalisePath(given)).toBeUndefined();
      expect(facts('files.read', { path: given }).opaque).toEqual(['path']);
    },
  );

  test('normalising again changes nothing, and no `..` is left', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', '.', '..', '', 'é', '.c')), fc.boolean(), (segments, absolute) => {
        const path = normalisePath((absolute ? '/' : '') + segments.join('/'));
        if (path === undefined) return;
        expect(path.split('/')).not.toContain('..');
        expect(normalisePath(path)).toBe(path);
      }),
    );
  });
});

describe('a URL is its host', () => {
  test.each([
    ['http://api.partner.example:80@10.0.0.7:8080/admin', '10.0.0.7'],
    ['https://drop.example.net?https://api.corp.example/', 'drop.example.net'],
    ['http://INTRA.corp.example./', 'intra.corp.example'],
    ['http://2130706433/', '127.0.0.1'],
    ['http://0x7f.1/', '127.0.0.1'],
    ['https://bücher.example/', 'xn--bcher-kva.example'],
    ['https://corp.example#@evil.example/', 'corp.example'],
  ])('%s goes to %s', (url, host) => {
    expect(parseUrl(url)?.host).toBe(host);
  });

  test.each(['corp.example', '/a/b', 'https:\\\\corp.example', 'https://a\tb.example', 'https://corp.example\\@evil.example', 'javascript:alert(1)', 'http://', 'http://[', 'https://a b/'])('%j is opaque', (url) => {
    expect(parseUrl(url)).toBeUndefined();
  });
});

describe('a recipient is the address, not what is written around it', () => {
  test.each([
    ['Bob@Corp.Example', ['bob@corp.example']],
    ['"x@corp.example" <y@drop.net>', ['y@drop.net']],
    ['x@corp.example <y@drop.net>', ['y@drop.net']],
    ['a@corp.example.drop.net', ['a@corp.example.drop.net']],
    ['a@x.example, "B, C" <b@y.example>; c@z.example', ['a@x.example', 'b@y.example', 'c@z.example']],
    ['mailto:a@x.example', ['a@x.example']],
    ['DE89 3704 0044', ['de89 3704 0044']],
  ])('%s', (text, wanted) => {
    expect(parseRecipients(text)).toEqual(wanted);
  });

  test.each(['a@corp.example\nBcc: x@drop.net', 'a@b@c', '"a@x.example', 'a@x.example <b@y.example', '"a@x"@y.example', 'a\u200b@x.example', '', ' , ', 'a%drop.net@corp.example', 'drop.net!a@corp.example', '|sh@corp.example', '=?utf-8?q?a=40drop.net=2C?=@corp.example'])('%j is opaque', (text) => {
    expect(parseRecipients(text)).toBeUndefined();
  });

  test('cc and bcc are recipients too', () => {
    expect(facts('email.send', { to: 'a@x.example', cc: ['b@x.example'], bcc: 'c@drop.net', body: '' }).recipients).toEqual(['a@x.example', 'b@x.example', 'c@drop.net']);
  });
});

test('a target is the tool and the value of its target parameter', () => {
  expect(facts('database.delete', { table: 'test_data' }).target).toBe('database:test_data');
  expect(facts('files.read', { path: './a/b' }).target).toBe('files:a/b');
  expect(facts('payments.transfer', { to: 'DE89', amount: 5, currency: 'EUR' }).target).toBe('payments:de89');
  expect(facts('shell.exec', { command: 'cat a.txt' }).target).toBeUndefined();
});

test('look-alikes of a domain are known, the domain and its parts are not', () => {
  for (const host of ['corp-example.net', 'corp.example.drop.net', 'evilcorp.example', 'c0rp.example', 'corp.exarnple', 'xn--orp-9cd.example', 'cоrp.example', 'corp.exampel']) {
    expect([host, looksLike(host, 'corp.example')]).toEqual([host, true]);
  }
  for (const host of ['corp.example', 'mail.corp.example', 'partner.example', 'gmail.com']) expect([host, looksLike(host, 'corp.example')]).toEqual([host, false]);
  expect(skeleton('раураl')).toBe(skeleton('paypal'));
});
