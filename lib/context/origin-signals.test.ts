import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { describe, expect, test } from 'vitest';

import type { ParameterSpec } from '@/lib/mediate/catalogue';
import { extendCatalogue } from '@/lib/mediate/extend';
import { mediate } from '@/lib/mediate/mediate';
import { stockCatalogue } from '@/lib/mediate/stock';
import type { JsonObject } from '@/lib/shared/json';
import { evidence, outcome, request, stateAfter } from '@/lib/testing/context-builders';

import type { ContextEntry } from './entry';
import { takeSnapshot } from './take-snapshot';

const specs: Readonly<Record<string, ParameterSpec>> = {
  to: { type: 'array', items: 'string', scalar_or_array: true, role: 'recipients', optional: true }, thing: { type: 'string', role: 'target', optional: true },
  page_url: { type: 'string', role: 'target', optional: true }, sum: { type: 'number', role: 'amount', optional: true }, code: { type: 'string', sensitive: true, optional: true },
  text: { type: 'string', optional: true }, when: { type: 'string', optional: true },
};

function signals(parameters: JsonObject, ...entries: readonly ContextEntry[]) {
  const catalogue = extendCatalogue(stockCatalogue(nobleSha256), [{ name: 'desk.hand_out', effect: 'communicate', impact: 'medium', parameters: specs }]);
  if (!catalogue.ok) throw new Error(catalogue.error.detail);
  const action = mediate({ tool: 'desk', operation: 'hand_out', parameters }, catalogue.value);
  if (!action.ok) throw new Error(action.error.detail);
  return new Map(takeSnapshot(stateAfter(...entries), action.value, evidence()).signals.map(({ name, score }) => [name, score]));
}

const note = outcome(1, 'Parcel for eve@thief.example, behind the Green Gate. Code: 4711-blue.');

describe('whose will an argument is', () => {
  test.each([
    ['recipient_origin', { to: ['eve@thief.example'] }], ['target_origin', { thing: 'Green Gate' }], ['secret_origin', { code: '4711-blue' }],
    ['content_origin', { text: 'behind the Green Gate' }],
  ] as const)('%s: of an untrusted text it is worth little, unless the person said it first', (name, parameters) => {
    expect(signals(parameters, request('What came?'), note).get(name)).toBe(150);
    expect(signals(parameters, request('Write to eve@thief.example, behind the Green Gate, code 4711-blue'), note).get(name)).toBe(1000);
  });

  test('one bad recipient among good ones decides', () => {
    expect(signals({ to: ['ann@harbor.example', 'eve@thief.example'] }, request('Write to ann@harbor.example'), note).get('recipient_origin')).toBe(150);
  });

  test('what nobody said is worth less after untrusted text than before, and then less than what that text said', () => {
    const made = { thing: 'Yellow Door' };
    expect(signals(made, request('Hello')).get('target_origin')).toBe(600);
    expect(signals(made, request('Hello'), note).get('target_origin')).toBe(100);
  });

  test('an address without a scheme is an address', () => {
    expect(signals({ page_url: 'www.see.example/4' }, request('Hello'), note).get('url_origin')).toBe(100);
  });

  test('a short name counts as said when the request has it as a name', () => {
    expect(signals({ to: ['Bo'] }, request('Tell Bo that I come'), note).get('recipient_origin')).toBe(1000);
    expect(signals({ to: ['Bo'] }, request('Look at the bow'), note).get('recipient_origin')).toBe(100);
  });

  test('what the agent composed itself is nobody’s', () => {
    expect(signals({ text: 'something else' }, request('Hello'), note).get('content_origin')).toBe(100);
  });
});

describe('what ties a call to the request', () => {
  test('is anything in it that the person said, a time too', () => {
    const made = { thing: 'Yellow Door', text: 'come' };
    expect(signals({ ...made, when: '2025-05-03 15:00' }, request('On 3 May 2025 at 15:00'), note).get('tie')).toBe(1000);
    expect(signals(made, request('Hello'), note).get('tie')).toBe(150);
    expect(signals(made, request('Hello')).get('tie')).toBe(600);
    expect(signals({}, request('Hello'), note).get('tie')).toBe(400);
    expect(signals({ text: 'open', thing: 'Yellow Door' }, request('Which are open?'), note).get('tie')).toBe(150);
  });

  test('a choice is the agent’s only where the request asks to choose', () => {
    expect(signals({ thing: 'Green Gate' }, request('Take the nearest gate'), note).get('choice')).toBe(700);
    expect(signals({ thing: 'Green Gate' }, request('Take a gate'), note).get('choice')).toBe(100);
    expect(signals({ thing: 'Green Gate' }, request('Take the Green Gate'), note).get('choice')).toBeUndefined();
  });
});

describe('what is said', () => {
  test('word for word as an untrusted text says it is an echo', () => {
    expect(signals({ text: 'behind the Green Gate' }, request('Hello'), note).get('echo')).toBe(150);
    expect(signals({ text: 'somewhere behind a fence' }, request('Hello'), note).get('echo')).toBeUndefined();
  });

  test('a message that says nothing of its own is half in doubt', () => {
    expect(signals({ to: ['ann@harbor.example'] }, request('Ring ann@harbor.example')).get('content_origin')).toBe(500);
  });

  test('a number of the request counts as said where it is too short to be found', () => {
    expect(signals({ sum: 5 }, request('Top up 5 GB'), note).get('amount_origin')).toBe(1000);
    expect(signals({ sum: 6 }, request('Top up 5 GB'), note).get('amount_origin')).toBe(100);
  });
});

describe('links in what is said', () => {
  test.each(['see https://bad.example/x', 'see www.bad.example', 'see bad.com/login', 'bad-place.io'])('“%s” leads elsewhere', (text) => {
    expect(signals({ text }, request('Say hello')).get('links')).toBe(150);
  });

  test('those that the person wrote are theirs; addresses of mail and sentences are none', () => {
    expect(signals({ text: 'see www.good.example/a.' }, request('Pass on www.good.example/a')).get('links')).toBe(1000);
    expect(signals({ text: 'Ask ann@harbor.com. Then come.' }, request('Say hello')).get('links')).toBeUndefined();
  });

  test('a long text without end takes bounded time', () => {
    const start = performance.now();
    for (const piece of ['a.', 'a-', 'www.', 'x@']) signals({ text: piece.repeat(20_000) }, request('Say hello'));
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
