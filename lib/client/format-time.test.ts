import { describe, expect, it } from 'vitest';
import { formatAge, formatClock, formatCountdown, formatDate, formatSpan, formatUtc, speakSpan } from '@/lib/client/format-time';

const at = Date.parse('2026-11-30T14:02:51Z');
const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

describe('an age', () => {
  it.each([
    [0, 'just now'], [-30 * second, 'just now'], [42 * second, '42 s ago'], [3 * minute, '3 min ago'], [59 * minute + 59 * second, '59 min ago'],
    [5 * hour, '5 h ago'], [24 * hour, '1 day ago'], [6 * 24 * hour, '6 days ago'], [7 * 24 * hour, null], [-2 * minute, null],
  ])('of %d ms reads %s', (age, expected) => {
    expect(formatAge(at, at + age)).toBe(expected);
  });
});

describe('time left', () => {
  it.each([
    [466 * second, '07:46'], [48 * second, '00:48'], [1, '00:01'], [0, '00:00'], [-5 * second, '00:00'], [3 * hour + 40 * minute, '3:40:00'], [27 * hour + 5 * second, '1 d 03:00:05'],
  ])('of %d ms reads %s', (left, expected) => {
    expect(formatCountdown(left)).toBe(expected);
  });

  it.each([
    [466 * second, '7 minutes 46 seconds'], [minute, '1 minute'], [second, '1 second'], [0, '0 seconds'], [3 * hour + 40 * minute + second, '3 hours 40 minutes'], [25 * hour, '1 day 1 hour'],
  ])('of %d ms is spoken as %s', (left, expected) => {
    expect(speakSpan(left)).toBe(expected);
  });

  it('of a wait that began in the future is none', () => {
    expect(formatSpan(-1_000)).toBe('00:00');
  });
});

describe('an instant', () => {
  it('is told in 24 hours in the zone asked for', () => {
    expect(formatClock(at, 'UTC')).toBe('14:02:51');
    expect(formatClock(at, 'Asia/Kolkata')).toBe('19:32:51');
    expect(formatDate(at, 'America/New_York')).toBe('30 Nov 2026, 09:02');
  });

  it('has one form that means the same to everybody', () => {
    expect(formatUtc(at)).toBe('30 Nov 2026, 14:02:51 UTC');
  });

  it('just after midnight is hour 00, not 24', () => {
    expect(formatClock(Date.parse('2026-11-30T00:00:05Z'), 'UTC')).toBe('00:00:05');
  });
});
