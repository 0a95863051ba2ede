import { describe, expect, it } from 'vitest';

import type { ChangeClass } from '@/lib/authority/policy-revision';

import type { JudgeChange } from './judge-change';
import { revisionJudge } from './revision-judge';

const [base, next] = ['base', 'next'].map((text) => ({ text, format: 'yaml' as const }));
const pair = [base ?? { text: '', format: 'yaml' as const }, next ?? { text: '', format: 'yaml' as const }] as const;

describe('the class of a revision that is found out beside serving', () => {
  it('is waited for by a process that serves nothing yet, and found out once', async () => {
    let asked = 0;
    const judge: JudgeChange = () => {
      asked += 1;
      return Promise.resolve('loosen');
    };
    const known = revisionJudge(judge, () => undefined);
    expect(await known(false)(...pair)).toBe('loosen');
    expect(await known(true)(...pair)).toBe('loosen');
    expect(asked).toBe(1);
  });

  it('is not waited for by one that serves, which is called when it is there', async () => {
    let answer: (change: ChangeClass) => void = () => undefined;
    let called = 0;
    const known = revisionJudge(() => new Promise((resolve) => (answer = resolve)), () => (called += 1));
    expect(await known(true)(...pair)).toBeNull();
    expect(await known(true)(...pair)).toBeNull();
    answer('tighten');
    await expect.poll(() => called).toBe(1);
    expect(await known(true)(...pair)).toBe('tighten');
  });

  it('is not proved where it could not be found out', async () => {
    const known = revisionJudge(() => Promise.reject(new Error('the thread died')), () => undefined);
    expect(await known(false)(...pair)).toBe('not_proved');
  });
});
