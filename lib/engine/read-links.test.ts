import { describe, expect, test } from 'vitest';

import type { AttributeFact } from '@/lib/context/snapshot';
import { resolveLinks } from '@/lib/mediate/resolve-links';
import type { Json } from '@/lib/shared/json';
import { at, decideAbout, policyFrom, policyText } from '@/lib/testing/engine-fixtures';

const header = 'information: { symlink: { from: [ip:disk] }, same_file: { from: [ip:disk] } }';
const only = policyFrom(policyText('  - { id: project, match: { tool: files, operation: [read, write], parameters: { path: { within: /srv/project } } }, action: ALLOW }\n', header));
const not = policyFrom(policyText('  - { id: open, match: { tool: files }, action: ALLOW }\n  - { id: etc, match: { tool: files, parameters: { path: { within: /etc } } }, action: DENY }\n', header));
const fact = (name: string, path: string, value: Json, source = 'ip:disk'): AttributeFact => ({ subject: `files:${path}`, name, value, unavailable: false, source, observed_at: at(1) });
const link = fact('symlink', '/srv/project/link', '/etc');
const written = (policy: typeof only, path: string, attributes: readonly AttributeFact[]) => decideAbout(policy, 'files.write', { path, content: '' }, { attributes }).decision;

describe('a path is where it leads, once somebody has said so', () => {
  test('a link out of the allowed folder is not in it', () => {
    expect(written(only, '/srv/project/link/hosts', [])).toBe('ALLOW');
    expect(written(only, '/srv/project/link/hosts', [link])).toBe('DENY');
  });

  test('nor is a file that is not there yet, behind such a folder', () => {
    expect(written(only, '/srv/project/link/a/b/new-file.txt', [link])).toBe('DENY');
  });

  test('a denial binds what the link leads to, and what it is called', () => {
    expect(written(not, '/srv/project/link/hosts', [link])).toBe('DENY');
    expect(written(not, '/etc/x', [fact('symlink', '/etc/x', '/srv/y')])).toBe('DENY');
  });

  test('a link that stays inside changes nothing', () => {
    expect(written(only, '/srv/project/now/a', [fact('symlink', '/srv/project/now', 'releases/7')])).toBe('ALLOW');
    expect(written(only, '/srv/project/now/a', [fact('symlink', '/srv/project/now', '../other')])).toBe('DENY');
  });

  test('a chain is followed to its end', () => {
    const chain = [fact('symlink', '/srv/project/a', 'b'), fact('symlink', '/srv/project/b', '/var/c'), fact('symlink', '/var/c', '/etc')];
    expect(written(not, '/srv/project/a/hosts', chain)).toBe('DENY');
    expect(written(only, '/srv/project/a/hosts', chain)).toBe('DENY');
  });

  test('links that go round, and sources that disagree, lead nobody knows where', () => {
    expect(written(only, '/srv/project/a/x', [fact('symlink', '/srv/project/a', 'b'), fact('symlink', '/srv/project/b', 'a')])).toBe('DENY');
    expect(written(only, '/srv/project/a/x', [fact('symlink', '/srv/project/a', 'b'), fact('symlink', '/srv/project/a', 'c')])).toBe('DENY');
  });

  test('another name of the same file counts as the file', () => {
    const both = [fact('same_file', '/srv/project/notes', ['/etc/shadow'])];
    expect([written(only, '/srv/project/notes', both), written(not, '/srv/project/notes', both)]).toEqual(['DENY', 'DENY']);
  });

  test('somebody who is not listed for it says nothing', () => {
    expect(written(only, '/srv/project/link/hosts', [fact('symlink', '/srv/project/link', '/etc', 'ip:other')])).toBe('ALLOW');
  });
});

test.each([
  ['/a/b/c', { '/a/b': '/x' }, '/x/c'],
  ['/a/b/c', { '/a': '/x', '/x/b': 'd' }, '/x/d/c'],
  ['/a/b', { '/a/b': '../c' }, '/c'],
  ['a/b', { a: 'c' }, 'c/b'],
  ['/a/b', { '/': '/x' }, '/a/b'],
  ['/a', { '/a': '/' }, '/'],
  ['/a/b', { '/a': '/' }, '/b'],
  ['/a', { '/a': '/a' }, undefined],
  ['a', { a: '../x' }, undefined],
])('%s with %j is %s', (path, links, wanted) => {
  expect(resolveLinks(path, new Map(Object.entries(links as Record<string, string>)))).toBe(wanted);
});
