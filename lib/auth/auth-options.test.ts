import { decode, encode } from 'next-auth/jwt';
import { expect, test } from 'vitest';

import { authOptions } from './auth-options';
import type { AuthParts } from './auth-parts';

/** A console whose database answers nothing. */
const broken = new Proxy({} as AuthParts, {
  get: (_, name) => {
    throw new Error(`${String(name)} was asked for`);
  },
});

test('a database that fails ends nobody’s session: reading a cookie asks it nothing', async () => {
  const { callbacks } = authOptions(broken);
  const secret = 'a secret of this test';
  const claims = { person: 'per_0123456789abcdefghij12', signed_in_at: '2026-01-31T09:05:00.000Z' };
  const token = await decode({ secret, token: await encode({ secret, token: claims }) });
  if (!token || !callbacks?.session) throw new Error('There is no token, or no callback.');
  const expires = '2026-01-31T21:05:00.000Z';
  const session: unknown = await callbacks.session({ session: { expires }, token, user: { id: '', email: '', emailVerified: null, signed_in_at: '' }, newSession: undefined, trigger: 'update' });
  expect(session).toEqual({ expires, ...claims });
  expect(await callbacks.session({ session: { expires }, token: {}, user: { id: '', email: '', emailVerified: null, signed_in_at: '' }, newSession: undefined, trigger: 'update' })).toEqual({ expires });
});
