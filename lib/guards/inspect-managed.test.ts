import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { describe, expect, test } from 'vitest';

import { mediate } from '@/lib/mediate/mediate';
import { stockCatalogue } from '@/lib/mediate/stock';
import type { JsonObject } from '@/lib/shared/json';

import { inspectAction } from './inspect-action';

const stock = stockCatalogue(nobleSha256);
const verdicts = (key: string, parameters: JsonObject, managed = ['/var/lib/Cosign State']) => {
  const dot = key.indexOf('.');
  const action = mediate({ tool: key.slice(0, dot), operation: key.slice(dot + 1), parameters }, stock);
  if (!action.ok) throw new Error(action.error.detail);
  return inspectAction(action.value, managed).filter((finding) => finding.guard === 'self-modification').map((finding) => finding.verdict);
};

describe('wherever an installation keeps its keys, no agent reaches in', () => {
  test.each<[string, string, JsonObject]>([
    ['by its path', 'files.read', { path: '/var/lib/Cosign State/keys/plane.pem' }],
    ['in another case', 'files.read', { path: '/VAR/lib/cosign state/pin.json' }],
    ['by a detour', 'files.write', { path: '/var/lib/x/../Cosign State/pin.json', content: '' }],
    ['by listing it', 'files.list', { path: '/var/lib/Cosign State' }],
    ['by removing what is above it', 'files.delete', { path: '/var/lib' }],
    ['by removing everything', 'shell.exec', { command: 'rm -rf /' }],
    ['by moving what is above it', 'shell.exec', { command: 'mv /var/lib /tmp/x' }],
    ['by a command', 'shell.exec', { command: "cat '/var/lib/Cosign State/pin.json'" }],
    ['by a command that runs there', 'shell.exec', { command: 'cat keys/plane.pem', cwd: '/var/lib/Cosign State' }],
    ['by going there', 'shell.exec', { command: "cd '/var/lib/Cosign State' && ls" }],
    ['in a text for an interpreter', 'shell.exec', { command: `python3 -c "open('/var/lib/Cosign State/pin.json')"` }],
  ])('%s', (_, key, parameters) => {
    expect(verdicts(key, parameters)).toEqual(['block']);
  });

  test('a relative path through a folder of its name is for a person to judge', () => {
    expect(verdicts('files.read', { path: 'state-7/keys/plane.pem' }, ['/opt/state-7'])).toEqual(['hold']);
  });

  test.each<[string, string, JsonObject]>([
    ['a neighbour', 'files.read', { path: '/var/lib/Cosign State 2/x' }],
    ['reading above it', 'files.list', { path: '/var/lib' }],
    ['a command above it', 'shell.exec', { command: 'ls /var/lib' }],
    ['prose', 'email.send', { to: 'a@b.example', body: 'It is in /var/lib/Cosign.' }],
  ])('%s is not that', (_, key, parameters) => {
    expect(verdicts(key, parameters)).toEqual([]);
  });
});
