import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { describe, expect, test } from 'vitest';

import { deriveFacts } from './facts';
import { isCertainPath, normalisePath } from './normalise-path';
import { parseUrl } from './parse-url';
import { stockCatalogue } from './stock';

const entry = stockCatalogue(nobleSha256).entries.get('files.read');
const factsOf = (path: string) => {
  if (!entry) throw new Error('The stock catalogue has files.read.');
  return deriveFacts(entry, { path });
};

describe('a path that some reader takes elsewhere is not understood', () => {
  test.each([
    ['the root by the kernel’s link', '/proc/self/root/etc/passwd'],
    ['another process', '/proc/1/cwd/.env'],
    ['a thread', '/proc/self/task/7/root/etc'],
    ['an open descriptor', '/dev/fd/3'],
    ['the input', '/dev/stdin'],
    ['a file URL', 'file:///etc/passwd'],
    ['a file URL with one slash', 'file:/etc/passwd'],
    ['a share', '//server/share/x'],
    ['a share of Windows', '\\\\server\\share\\x'],
    ['a device of Windows', '\\\\.\\PhysicalDrive0'],
    ['the current folder of a drive', 'C:secrets.txt'],
    ['a stream', '.env::$DATA'],
    ['a name that loses its dot', '.env.'],
    ['a name that loses its blank', '.env '],
    ['a folder that loses its blank', '.. /x'],
    ['blanks around it', ' /etc/passwd'],
    ['dots and slashes that fold into ASCII', '．．/x'],
  ])('%s', (_, path) => {
    expect(normalisePath(path)).toBeUndefined();
    expect(factsOf(path).opaque).toEqual(['path']);
  });

  test.each([
    ['a home directory', '~/.ssh/id_ed25519'],
    ['somebody’s home directory', '~root/x'],
    ['a variable', '$HOME/.ssh/x'],
    ['a variable in braces', '${HOME}/.ssh/x'],
    ['a variable of Windows', '%APPDATA%/x'],
    ['a pattern', '/srv/app/.en*'],
    ['one letter of a pattern', '/srv/app/.en?'],
  ])('%s is seen as it stands, and not understood', (_, path) => {
    expect(isCertainPath(path)).toBe(false);
    expect(factsOf(path)).toMatchObject({ paths: [path], opaque: ['path'] });
  });

  test.each(['app/[id]/page.tsx', 'app/(console)/page.tsx', 'a b/c', '2030-01-01T10:00:00.log', 'C:/Users/x', '/proc/cpuinfo', '/dev/null', 'v1.2.3', '.well-known/x', 'a@2x.png', '日本語/資料.pdf', '/srv/100%/x'])('an ordinary path is understood: %s', (path) => {
    expect(factsOf(path).opaque).toEqual([]);
  });
});

describe('a URL names one host, however it is written', () => {
  test.each([
    ['http://0177.0.0.1/', '127.0.0.1'],
    ['http://127.1/', '127.0.0.1'],
    ['http://[::ffff:7f00:1]/', '127.0.0.1'],
    ['http://[::ffff:127.0.0.1]/', '127.0.0.1'],
    ['http://①②⑦.0.0.1/', '127.0.0.1'],
    ['http://corp。example/', 'corp.example'],
    ['gopher://0x7f.1:70/_x', '127.0.0.1'],
    ['ssh://CORP.Example/x', 'corp.example'],
  ])('%s goes to %s', (url, host) => {
    expect(parseUrl(url)?.host).toBe(host);
  });

  test.each([
    ['a trailing dot', 'http://intra.corp.example./x', 'http://intra.corp.example/x'],
    ['needless escapes', 'https://corp.example/%61dmin/%7Eada?q=%2f', 'https://corp.example/admin/~ada?q=%2F'],
    ['capitals and the usual port', 'HTTPS://Corp.Example:443/x', 'https://corp.example/x'],
    ['dots that are encoded', 'https://corp.example/a/%2e%2e/b', 'https://corp.example/b'],
  ])('%s does not make it another address', (_, url, href) => {
    expect(parseUrl(url)?.href).toBe(href);
  });

  test.each([
    ['an option', 'ssh://-oProxyCommand=x/y'],
    ['an empty label', 'http://a..b/'],
    ['a zone', 'http://[fe80::1%25eth0]/'],
    ['a number that is no address', 'http://256.1.1.1/'],
    ['a scheme inside a scheme', 'blob:https://corp.example/x'],
    ['a soft hyphen', 'http://ex\u00adample.com/'],
    ['no slashes', 'https:corp.example'],
  ])('%s is not understood', (_, url) => {
    expect(parseUrl(url)).toBeUndefined();
  });
});
