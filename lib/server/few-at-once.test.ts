import { describe, expect, it } from 'vitest';

import { ok, type Result } from '@/lib/shared/result';

import { fewAtOnce } from './few-at-once';

describe('work of which few may run at once', () => {
  it('is refused beyond them without having begun, and goes on when one has ended, also by a fault', async () => {
    const guarded = fewAtOnce(2, 'Enough is being made.');
    const ends: (() => void)[] = [];
    let begun = 0;
    const work = (): Promise<Result<number>> => new Promise((resolve) => {
      begun++;
      ends.push(() => resolve(ok(1)));
    });
    const running = [guarded(work), guarded(work)];
    expect(await guarded(work)).toMatchObject({ ok: false, error: { code: 'overloaded' } });
    expect(begun).toBe(2);
    for (const end of ends) end();
    await Promise.all(running);
    await expect(guarded(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await guarded(() => Promise.resolve(ok(2)))).toEqual(ok(2));
  });
});
