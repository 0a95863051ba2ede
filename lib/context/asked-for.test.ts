import { expect, test } from 'vitest';

import { wantedFor, wordsOf } from './asked-for';

const names = (operation: string, effect: Parameters<typeof wantedFor>[1]) => wantedFor(operation, effect).concepts.map((concept) => concept.names[0]);

test('names are taken apart into words, whichever way they are written', () => {
  expect(wordsOf('SendDirectMessage')).toEqual(['send', 'direct', 'message']);
  expect(wordsOf('send_direct-message2')).toEqual(['send', 'direct', 'message']);
  expect(wordsOf('getHTTPPage')).toEqual(['get', 'http', 'page']);
});

test('an operation is asked for by its own verb and what people say for it, not by every word for its effect', () => {
  expect(names('cancel_booking', 'destructive')).toEqual(expect.arrayContaining(['cancel', 'refund']));
  expect(names('archive_mail', 'write')).not.toContain('create');
});

test('sending money is asked for by “pay”, whatever the tool calls itself', () => {
  expect(names('send_money', 'spend')).toEqual(expect.arrayContaining(['send', 'pay']));
});

test('a word for reading in the name of something that does more says nothing', () => {
  expect(wantedFor('check_out', 'spend').own).toBeNull();
  expect(names('check_out', 'spend')).toContain('pay');
});

test('a name that says nothing is asked for by any word for its effect', () => {
  expect(names('xyzzy', 'communicate')).toContain('send');
});
