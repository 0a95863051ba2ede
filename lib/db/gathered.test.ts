import { expect, test } from 'vitest';

import { gathered } from './gathered';

type Row = { readonly key: string; readonly value: number };

const table: Readonly<Record<string, number>> = { a: 1, b: 2, c: 3 };

function reader() {
  const asked: (readonly string[])[] = [];
  const read = gathered<Row>(
    async (keys) => {
      asked.push(keys);
      if (keys.includes('broken')) throw new Error('The database is gone.');
      return keys.flatMap((key) => (table[key] === undefined ? [] : [{ key, value: table[key] }]));
    },
    ({ key }) => key,
  );
  return { asked, read };
}

test('reads of one turn are one statement, and each gets the rows of its own keys', async () => {
  const { asked, read } = reader();
  const [first, second, none] = await Promise.all([read(['a', 'b']), read(['b', 'nothing']), read([])]);
  expect(asked).toEqual([['a', 'b', 'nothing']]);
  expect(first.map(({ value }) => value)).toEqual([1, 2]);
  expect(second.map(({ value }) => value)).toEqual([2]);
  expect(none).toEqual([]);
});

test('a read that begins while another is under way does not get what that one saw', async () => {
  const { asked, read } = reader();
  const first = read(['a']);
  await new Promise((resolve) => setImmediate(resolve));
  const second = read(['a']);
  await Promise.all([first, second]);
  expect(asked).toEqual([['a'], ['a']]);
});

test('a failure reaches everyone who asked, and the next turn reads again', async () => {
  const { read } = reader();
  await expect(Promise.all([read(['broken']), read(['a'])])).rejects.toThrow('gone');
  expect((await read(['a'])).map(({ value }) => value)).toEqual([1]);
});
