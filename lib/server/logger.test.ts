import { describe, expect, test } from 'vitest';
import type { LogLevel } from '@/lib/server/env';
import { createLogger, type Logger } from '@/lib/server/logger';

function recorded(level: LogLevel, work: (logger: Logger) => void): Record<string, unknown>[] {
  const lines: string[] = [];
  work(createLogger('plane', { level, now: () => 0, write: (line) => lines.push(line) }));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('logger', () => {
  test('writes one JSON object a line, with time, level, part and message', () => {
    expect(recorded('info', (log) => log.info('started', { port: 3181 }))).toEqual([
      { time: '1970-01-01T00:00:00.000Z', level: 'info', part: 'plane', message: 'started', port: 3181 },
    ]);
  });

  test('a text with line breaks stays on one line', () => {
    const lines: string[] = [];
    createLogger('plane', { level: 'info', write: (line) => lines.push(line) }).info('a\nb', { text: 'c\nd' });
    expect(lines[0]?.trimEnd()).not.toContain('\n');
  });

  test('what is below the level is not written', () => {
    const entries = recorded('warn', (log) => {
      log.info('no');
      log.warn('yes');
    });
    expect(entries.map((entry) => entry['message'])).toEqual(['yes']);
  });

  test('values under secret names are withheld at any depth', () => {
    const [entry] = recorded('info', (log) => log.info('x', { token: 'abc', request: { headers: { Authorization: 'abc' } } }));
    expect(JSON.stringify(entry)).not.toContain('abc');
  });

  test('an error keeps its code and causes', () => {
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const [entry] = recorded('info', (log) => log.error('x', { error: new Error('no database', { cause }) }));
    expect(entry).toMatchObject({ error: { message: 'no database', cause: { message: 'refused', code: 'ECONNREFUSED' } } });
  });

  test('of many errors at once the first five are told', () => {
    const [entry] = recorded('info', (log) => log.error('x', { error: new AggregateError(Array.from({ length: 9 }, (_, i) => new Error(`fault ${String(i)}`)), 'nine') }));
    expect(entry).toMatchObject({ error: { message: 'nine', errors: [0, 1, 2, 3, 4].map((i) => ({ message: `fault ${String(i)}` })) } });
  });

  test.each([
    [
      'a value that refers to itself',
      () => {
        const loop: Record<string, unknown> = {};
        loop['self'] = loop;
        return loop;
      },
    ],
    ['a bigint', () => ({ size: 1n })],
    ['an invalid date', () => ({ at: new Date(Number.NaN) })],
    ['a function', () => ({ call: () => 1 })],
  ])('%s does not stop the log', (_what, make) => {
    expect(recorded('info', (log) => log.info('x', { value: make() }))).toHaveLength(1);
  });
});
