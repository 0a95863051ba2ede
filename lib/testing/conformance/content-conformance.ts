import { expect, test } from 'vitest';

import type { ContentStore } from '@/lib/ports/content-store';
import type { Transactor } from '@/lib/ports/transaction';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { aDigest } from '@/lib/testing/row-builders';

export type ContentFixture = { readonly transactor: Transactor; readonly content: ContentStore };

export function contentConformance(open: () => ContentFixture): void {
  const value = { big: 1e21, nul: 'a\u0000b', text: '“é” 𝒰 \\ {x}', zz: [null, true, -0.5], aa: {} };
  const item = { digest: aDigest('one'), salt: 'c2FsdA==', body: canonicalJson(value) };

  test('content comes back to the byte, in and after its transaction', async () => {
    const { transactor, content } = open();
    await transactor.withHead(async (tx) => {
      await content.add(tx, [item]);
      expect((await content.find([item.digest], tx)).get(item.digest)).toEqual({ ...item, value });
    });
    expect((await content.find([item.digest])).get(item.digest)).toEqual({ ...item, value });
  });

  test('the same content may be stored again, and what is not there is missing', async () => {
    const { transactor, content } = open();
    for (let i = 0; i < 2; i++) await transactor.withHead((tx) => content.add(tx, [item]));
    expect([...(await content.find([item.digest, aDigest('other')])).keys()]).toEqual([item.digest]);
    expect(await content.find([])).toEqual(new Map());
  });
}
