import { expect, test } from 'vitest';

import { utf8 } from '@/lib/shared/encoding';
import { signEnvelope } from '@/lib/shared/dsse';
import { listedKey } from '@/lib/testing/authority-documents';

import { collectSignatures } from './collect-signatures';

const [ada, ben] = [listedKey('ada'), listedKey('ben')];
const over = (text: string, ...keys: readonly (typeof ada)[]) => signEnvelope('application/x', utf8(text), keys.map(({ signer }) => signer));
const ids = (envelope: Awaited<ReturnType<typeof over>> | undefined) => envelope?.signatures.map(({ keyid }) => keyid);

test('signatures over the same bytes are collected, each key’s once', async () => {
  expect(ids(collectSignatures(await over('a', ada), await over('a', ben)))).toEqual([ada.entry.id, ben.entry.id]);
  expect(ids(collectSignatures(await over('a', ada, ben), await over('a', ada)))).toEqual([ben.entry.id, ada.entry.id]);
});

test('none is carried over to other bytes, or to another type', async () => {
  const kept = await over('a', ada);
  expect(collectSignatures(kept, await over('b', ben))).toBeUndefined();
  expect(collectSignatures(kept, await signEnvelope('application/y', utf8('a'), [ben.signer]))).toBeUndefined();
});
