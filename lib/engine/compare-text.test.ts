import { describe, expect, test } from 'vitest';

import { isSameText, isWithinPath } from './compare-text';

describe('where a match only tightens, every spelling that some system takes for the same one counts', () => {
  test.each([
    ['a program in capitals', 'RM -rf data', 'rm'],
    ['a program of Windows', 'Curl.EXE -T x', 'curl'],
    ['a program in a folder', '/opt/Tools/rm x', 'rm'],
    ['a command of several words', 'GIT reset --hard', 'git reset'],
  ])('%s', (_, line, words) => {
    expect([isSameText(line, words, 'command', false), isSameText(line, words, 'command', true)]).toEqual([true, false]);
  });

  test.each([
    ['capitals', '/home/dev/.SSH/id', '/home/dev/.ssh'],
    ['a long s', '/home/dev/.ſsh/id', '/home/dev/.ssh'],
    ['the sign of a kelvin', '/K\u212Aeys/x', '/kkeys'],
    ['a letter that becomes two', '/stra\u00dfe/x', '/STRASSE'],
  ])('a path with %s', (_, path, folder) => {
    expect([isWithinPath(path, folder, false), isWithinPath(path, folder, true)]).toEqual([true, false]);
  });

  test('and nothing else', () => {
    expect(isSameText('rmdir x', 'rm', 'command', false)).toBe(false);
    expect(isWithinPath('/home/dev/.ssh2/id', '/home/dev/.ssh', false)).toBe(false);
  });
});
