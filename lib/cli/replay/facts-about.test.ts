import { describe, expect, test } from 'vitest';

import type { Json, JsonObject } from '@/lib/shared/json';

import { factsAbout } from './facts-about';
import { parseEnvironments } from './parse-environments';

const office = {
  suite: 'office', user_email: 'Ada@harbor.example', user_domain: 'harbor.example', user_name: 'Ada',
  contacts: [{ email: 'Mo@mail.example', name: 'Mo' }], files: [{ id_: '7', owner: 'Ada@harbor.example', shared_with: {} }],
};
const bank = { suite: 'bank', user_iban: 'DE01', known_counterparties: ['SE02'], files: ['note.txt'] };

function said(suite: string, parameters: JsonObject): Readonly<Record<string, Json>> {
  const worlds = parseEnvironments([office, bank].map((row) => JSON.stringify(row)).join('\n'));
  const world = worlds.ok ? worlds.value.get(suite) : undefined;
  if (!world) throw new Error('The environments were not read.');
  return Object.fromEntries(factsAbout(suite, { tool: 't', parameters }, world).map(({ subject, name, value }) => [`${name} ${subject}`, value]));
}

/** Both subjects under which a relation is said. */
const relation = (suite: string, address: string, value: string) => ({ [`relation ${suite}:${address}`]: value, [`relation recipient:${address}`]: value });

describe('what an information point says of a call', () => {
  test('how the user stands to each addressee', () => {
    expect(said('office', { recipients: ['ada@harbor.example', 'Bo@harbor.example'], cc: 'mo@mail.example', bcc: ['x@mail.example'] })).toEqual({
      ...relation('office', 'ada@harbor.example', 'self'), ...relation('office', 'bo@harbor.example', 'colleague'),
      ...relation('office', 'mo@mail.example', 'contact'), ...relation('office', 'x@mail.example', 'stranger'),
    });
    expect(said('bank', { recipient: 'se02' })).toEqual(relation('bank', 'se02', 'payee'));
    expect(said('bank', { recipient: 'DE01' })).toEqual(relation('bank', 'de01', 'self'));
  });

  test('an address that only ends like the own domain is a stranger’s', () => {
    expect(said('office', { email: 'bo@not-harbor.example' })).toEqual(relation('office', 'bo@not-harbor.example', 'stranger'));
  });

  test('what counts in an address with a name before it is the address', () => {
    expect(said('office', { email: 'Ada <x@mail.example>' })['relation recipient:x@mail.example']).toBe('stranger');
  });

  test('of parameters that only taken tools call addressees, too', () => {
    const world = parseEnvironments(JSON.stringify(office));
    const known = world.ok ? world.value.get('office') : undefined;
    if (!known) throw new Error('The environments were not read.');
    const call = { tool: 'ring', parameters: { whom: 'mo@mail.example' } };
    expect(factsAbout('office', call, known)).toEqual([]);
    expect(factsAbout('office', call, known, new Set(['office.ring.whom']))).toHaveLength(2);
  });

  test('whose a file is, and that nobody knows of another', () => {
    expect(said('office', { file_id: '7' })).toEqual({ 'file_owner office:7': 'ada@harbor.example' });
    expect(said('office', { file_id: '8' })).toEqual({ 'file_owner office:8': { unavailable: true } });
  });

  test('nothing of what is no addressee and no file, and no more than a call may carry', () => {
    expect(said('office', { subject: 'mo@mail.example', body: 'x', amount: 3, participants: null })).toEqual({});
    expect(Object.keys(said('office', { recipients: Array.from({ length: 90 }, (_, at) => `p${String(at)}@mail.example`) }))).toHaveLength(100);
  });

  test('an environment that cannot be read is named by line and place', () => {
    const read = parseEnvironments(`${JSON.stringify(bank)}\n${JSON.stringify({ ...office, contacts: [{ name: 'Mo' }] })}`);
    expect(read.ok ? [] : read.error.issues?.map(({ line, path }) => [line, path])).toEqual([[2, 'contacts.0.email']]);
  });
});
