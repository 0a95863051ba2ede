import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';

import type { Passwords } from '@/lib/ports/passwords';

/** Cost of new hashes: 2^15 blocks of 8 × 128 bytes, 32 MB and some 80 ms each. Stored hashes name their own. */
const cost = { log2n: 15, r: 8, p: 1 } as const;
const saltBytes = 16;
const keyBytes = 32;

const form = /^scrypt\$(1[4-9]|20)\$([1-9]|1[0-6])\$([1-4])\$([A-Za-z0-9_-]{22})\$([A-Za-z0-9_-]{43})$/;

/** Source: RFC 7914. Stored as `scrypt$log2(N)$r$p$salt$key`, both in base64url. */
export function scryptPasswords(): Passwords {
  // Compared with when nobody has the address: the time of an answer does not tell who has an account.
  const nobody = hashWith(randomBytes(32).toString('base64url'));
  return {
    hash: hashWith,
    verify: async (password, stored) => {
      const known = stored !== null && form.test(stored);
      const right = await matches(password, known ? stored : await nobody);
      return known && right;
    },
  };
}

async function hashWith(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const key = await derive(password, salt, cost);
  return ['scrypt', cost.log2n, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

async function matches(password: string, stored: string): Promise<boolean> {
  const [, log2n, r, p, salt, key] = form.exec(stored) ?? [];
  if (salt === undefined || key === undefined) return false;
  const expected = Buffer.from(key, 'base64url');
  const derived = await derive(password, Buffer.from(salt, 'base64url'), { log2n: Number(log2n), r: Number(r), p: Number(p) });
  return timingSafeEqual(expected, derived);
}

function derive(password: string, salt: Buffer, { log2n, r, p }: { readonly log2n: number; readonly r: number; readonly p: number }): Promise<Buffer> {
  // One spelling a password: the same letters typed on another system may arrive composed differently.
  const normal = password.normalize('NFKC');
  const options: ScryptOptions = { N: 2 ** log2n, r, p, maxmem: 2 * 128 * r * 2 ** log2n };
  return new Promise((resolve, reject) => {
    scrypt(normal, salt, keyBytes, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
