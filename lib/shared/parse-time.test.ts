import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { parseTime } from './parse-time';

describe('parseTime', () => {
  test('reads every time that can be written as Date.parse does', () => {
    const times = fc.date({ noInvalidDate: true, min: new Date('0000-01-01T00:00:00.000Z'), max: new Date('9999-12-31T23:59:59.999Z') });
    fc.assert(fc.property(times, (time) => {
      expect(parseTime(time.toISOString())).toBe(time.getTime());
    }));
  });

  test('reads texts that are almost times as Date.parse does', () => {
    const odd = ['2030-02-30', '2030-02-29', '2030-13-01', '2030-00-10', '2030-01-32', '2030-01-00', '0099-01-01', '0000-01-01', '203x-01-01', '2030/01-01'].flatMap((day) =>
      ['12:00:00.000Z', '24:00:00.000Z', '24:00:00.001Z', '23:60:00.000Z', '23:59:60.000Z', '-1:00:00.000Z', '12:00:00.00xZ', '12:00:00,000Z', '12:00:00.000z', '12:00:00.0000'].map((time) => `${day}T${time}`));
    const character = fc.constantFrom(...'0129-:.TZ +x');
    for (const text of [...odd, '', 'now', '2030-06-03', '2030-06-03T12:00:00Z', '2030-06-03T12:00:00.000+02:00']) expect([text, parseTime(text)]).toEqual([text, Date.parse(text)]);
    fc.assert(fc.property(fc.nat(23), character, (at, changed) => {
      const text = '2030-06-03T12:00:00.000Z';
      const altered = text.slice(0, at) + changed + text.slice(at + 1);
      expect([altered, parseTime(altered)]).toEqual([altered, Date.parse(altered)]);
    }));
  });
});
