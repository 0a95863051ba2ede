import { describe, expect, it } from 'vitest';

import { scryptPasswords } from './scrypt-passwords';

describe('passwords', () => {
  const passwords = scryptPasswords();

  it('match their own hash and no other', async () => {
    const stored = await passwords.hash('correct horse battery');
    expect(await passwords.verify('correct horse battery', stored)).toBe(true);
    expect(await passwords.verify('correct horse batterz', stored)).toBe(false);
    expect(stored).not.toContain('correct');
  });

  it('get another salt each time', async () => {
    expect(await passwords.hash('the same password')).not.toBe(await passwords.hash('the same password'));
  });

  it('match in every composition of the same letters', async () => {
    const stored = await passwords.hash('caf\u00e9 au lait noir');
    expect(await passwords.verify('cafe\u0301 au lait noir', stored)).toBe(true);
  });

  it.each([
    ['nobody', null],
    ['an empty hash', ''],
    ['another scheme', '$2b$12$abcdefghijklmnopqrstuv'],
    ['a cost that would exhaust memory', `scrypt$30$8$1$${'A'.repeat(22)}$${'A'.repeat(43)}`],
  ])('never match %s', async (_what, stored) => {
    expect(await passwords.verify('anything at all', stored)).toBe(false);
  });
});
