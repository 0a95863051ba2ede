import { describe, expect, test } from 'vitest';

import type { Reply } from './call';
import type { Want } from './case-schema';
import { compareReply } from './compare-reply';

const link = (hash: string, previous: string | null) => ({ hash, previous });

describe('a reply is compared with what a case wants', () => {
  test('what a case leaves out is not looked at', () => {
    expect(compareReply({ decision: 'ALLOW' }, { decision: 'ALLOW', state: 'permitted', code: 'any' }, [])).toEqual([]);
  });

  test.each([
    ['another decision', { decision: 'ALLOW' }, { decision: 'DENY' }, 'decision: wanted "ALLOW", got "DENY"'],
    ['a decision that is not said', { decision: 'ALLOW' }, {}, 'decision: wanted "ALLOW", got nothing'],
    ['a refusal that nobody wanted', { decision: 'ALLOW' }, { decision: 'ALLOW', refused: 'late' }, 'refused: late'],
    ['a refusal for another reason', { refused: 'permit_used' }, { refused: 'permit_expired' }, 'refused: wanted "permit_used", got "permit_expired"'],
    ['no refusal', { refused: true }, { decision: 'ALLOW' }, 'wanted a refusal, got {"decision":"ALLOW"}'],
    ['another code', { code: 'a' }, { code: 'b' }, 'code: wanted "a", got "b"'],
    ['a change where none was wanted', { transformed: null }, { transformed: { limit: 1 } }, 'transformed: wanted null, got {"limit":1}'],
    ['fewer fields that are missing', { missing: ['a', 'b'] }, { missing: ['b'] }, 'missing: wanted ["a","b"], got ["b"]'],
  ] satisfies readonly [string, Want, Reply, string][])('%s is named', (_what, want, reply, words) => {
    expect(compareReply(want, reply, [])).toEqual([words]);
  });

  test('a system without codes of its own is not held to ours', () => {
    expect(compareReply({ code: 'needs_approval' }, { state: 'held' }, [])).toEqual([]);
  });

  test('what is not heard at all is stopped as well as what is denied', () => {
    expect([{ refused: 'no_such_agent' }, { decision: 'DENY' } as const, { decision: 'ALLOW' } as const].map((reply) => compareReply({ stopped: true }, reply, []).length)).toEqual([0, 0, 1]);
  });

  test('lists are compared without their order', () => {
    expect(compareReply({ approvers: ['b', 'a'] }, { approvers: ['a', 'b'] }, [])).toEqual([]);
  });

  test.each([
    ['holds', [link('a', null), link('b', 'a')], ['a'], []],
    ['does not name the link before', [link('a', null), link('b', 'x')], ['a'], ['chain: a link does not name the one before it']],
    ['rewrites what was there', [link('x', null), link('b', 'x')], ['a'], ['chain: what was there before has changed']],
    ['is not longer', [link('a', null)], ['a'], ['chain: wanted longer, had 1 links, has 1']],
  ])('a chain that %s is told', (_what, chain, seen, words) => {
    expect(compareReply({ chain: 'longer' }, { chain }, seen)).toEqual(words);
  });
});
