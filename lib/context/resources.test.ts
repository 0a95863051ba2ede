import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { JsonObject } from '@/lib/shared/json';
import { act } from '@/lib/testing/context-builders';

import { keysOfRead, keysOfWritten, resourcesRead, resourcesWritten } from './resources';

const mia = 'mia@corp.example';
const meets = (written: readonly string[], read: readonly string[]): boolean => {
  const left = new Set(written.flatMap(keysOfWritten));
  return read.flatMap(keysOfRead).some((key) => left.has(key));
};
const laysDown = (key: string, parameters: JsonObject, human = mia) => resourcesWritten(act(key, parameters), human);
const picksUp = (key: string, parameters: JsonObject, human = mia) => resourcesRead(act(key, parameters), human);

describe('what one session wrote is met by whoever reads it', () => {
  test.each<[string, string, JsonObject, string, JsonObject, boolean]>([
    ['the same file', 'files.write', { path: '/srv/x.txt', content: 'a' }, 'files.read', { path: '/srv/x.txt' }, true],
    ['in another case', 'files.write', { path: '/srv/X.txt', content: 'a' }, 'files.read', { path: '/srv/x.TXT' }, true],
    ['by a detour', 'files.write', { path: '/srv/a/../x.txt', content: 'a' }, 'files.read', { path: '/srv//x.txt' }, true],
    ['another file', 'files.write', { path: '/srv/x.txt', content: 'a' }, 'files.read', { path: '/srv/y.txt' }, false],
    ['a file beside that starts alike', 'files.write', { path: '/srv/x', content: 'a' }, 'files.read', { path: '/srv/xy' }, false],
    ['the folder that it is in', 'files.write', { path: '/srv/a/x.txt', content: 'a' }, 'files.list', { path: '/srv' }, true],
    ['the root', 'files.write', { path: '/srv/a/x.txt', content: 'a' }, 'files.list', { path: '/' }, true],
    ['another folder', 'files.write', { path: '/srv/a/x.txt', content: 'a' }, 'files.list', { path: '/etc' }, false],
    ['a file of a folder that a command wrote into', 'shell.exec', { command: 'cp -r /home/a /srv' }, 'files.read', { path: '/srv/a/x.txt' }, true],
    ['through a shell', 'shell.exec', { command: 'echo a > /srv/x.txt' }, 'files.read', { path: '/srv/x.txt' }, true],
    ['with a shell', 'files.write', { path: '/srv/x.txt', content: 'a' }, 'shell.exec', { command: 'cat /srv/x.txt' }, true],
    ['any file, after a command that nobody can read', 'shell.exec', { command: 'eval "$X"' }, 'files.read', { path: '/srv/x.txt' }, true],
    ['a relative name and the whole path', 'files.write', { path: 'a/x.txt', content: 'a' }, 'files.read', { path: '/srv/a/x.txt' }, true],
    ['the whole path and a relative name', 'files.write', { path: '/srv/a/x.txt', content: 'a' }, 'files.read', { path: 'x.txt' }, true],
    ['a table', 'database.update', { table: 'orders', set: { a: 1 }, where: 'id = 1' }, 'database.query', { query: 'SELECT * FROM orders' }, true],
    ['a table with its schema', 'database.update', { table: 'Sales.Orders', set: { a: 1 }, where: 'id = 1' }, 'database.query', { query: 'SELECT * FROM orders o JOIN x ON true' }, true],
    ['another table', 'database.update', { table: 'orders', set: { a: 1 }, where: 'id = 1' }, 'database.query', { query: 'SELECT * FROM customers' }, false],
    ['a query that nobody can parse', 'database.update', { table: 'orders', set: { a: 1 }, where: 'id = 1' }, 'database.query', { query: 'SELECT * FROM x; SELECT 1' }, true],
    ['a query that writes where reading was declared', 'database.query', { query: 'INSERT INTO orders SELECT 1' }, 'database.query', { query: 'SELECT * FROM orders' }, true],
    ['mail to oneself', 'email.send', { to: mia, body: 'x' }, 'email.read', { id: 'm5' }, true],
    ['mail that stays in the folder of what was sent', 'email.send', { to: 'bob@corp.example', body: 'x' }, 'email.search', { query: 'x' }, true],
    ['an event without a name of its own, and any other', 'calendar.create', { title: 'x', start: 'x', end: 'x' }, 'calendar.read', { id: '7' }, true],
    ['a ticket, and a search of all', 'tickets.comment', { id: '7', body: 'x' }, 'tickets.search', { query: 'x' }, true],
    ['a ticket, and another one', 'tickets.comment', { id: '7', body: 'x' }, 'tickets.read', { id: '8' }, false],
    ['a web host', 'http.fetch', { url: 'https://paste.example/new', method: 'POST', body: 'x' }, 'http.fetch', { url: 'https://PASTE.example/7', method: 'GET' }, true],
    ['reading leaves nothing', 'files.read', { path: '/srv/x.txt' }, 'files.read', { path: '/srv/x.txt' }, false],
    ['taking away brings nothing', 'files.delete', { path: '/srv/x.txt' }, 'files.read', { path: '/srv/x.txt' }, false],
  ])('%s', (_, writes, written, reads, read, wanted) => {
    expect(meets(laysDown(writes, written), picksUp(reads, read))).toBe(wanted);
  });

  test('somebody else\'s mailbox is not met', () => {
    const sent = laysDown('email.send', { to: 'bob@corp.example', body: 'x' });
    expect(meets(sent, picksUp('email.search', { query: 'x' }, 'zoe@corp.example'))).toBe(false);
    expect(meets(sent, picksUp('email.search', { query: 'x' }, 'bob@corp.example'))).toBe(true);
  });

  test('whatever is written into a folder is met by reading the file, the folder, or anything above it', () => {
    const name = fc.constantFrom('a', 'b', 'c d', 'é', 'x.txt');
    const path = fc.array(name, { minLength: 1, maxLength: 6 }).map((parts) => `/${parts.join('/')}`);
    fc.assert(
      fc.property(path, fc.nat(6), (file, up) => {
        const above = file.split('/').slice(0, Math.max(1, file.split('/').length - up)).join('/') || '/';
        expect(meets(laysDown('files.write', { path: file, content: 'x' }), picksUp('files.list', { path: above }))).toBe(true);
        expect(meets(laysDown('shell.exec', { command: `cp x.bin '${above}'` }), picksUp('files.read', { path: file }))).toBe(true);
      }),
    );
  });

  test('however many things one action names, no more than a bounded number of names comes of it', () => {
    const command = `cat ${Array.from({ length: 300 }, (_, i) => `/srv/${String(i)}.txt`).join(' ')}`;
    const read = picksUp('shell.exec', { command });
    expect(read.length).toBeLessThan(110);
    expect(meets(laysDown('files.write', { path: '/srv/299.txt', content: 'x' }), read)).toBe(true);
  });
});
