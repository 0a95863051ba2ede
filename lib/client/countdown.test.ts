import { describe, expect, it } from 'vitest';
import { countdownAnnouncement, countdownTone, shareLeft } from '@/lib/client/countdown';

describe('urgency', () => {
  it.each([[300_000, 'rest'], [299_999, 'soon'], [60_000, 'soon'], [59_999, 'last'], [1, 'last'], [0, 'over'], [-1, 'over']] as const)('with %d ms left is %s', (left, tone) => {
    expect(countdownTone(left)).toBe(tone);
  });
});

describe('an announcement', () => {
  it.each([
    [300_500, 299_500, '5 minutes left until it is denied.'],
    [60_200, 59_200, '1 minute left until it is denied.'],
    [500, -500, 'Time ran out: denied.'],
    [200_000, 199_000, null],
    [-500, -1_500, null],
  ])('from %d to %d ms is %s', (before, now, expected) => {
    expect(countdownAnnouncement(before, now, 'denied')).toBe(expected);
  });

  it('after a sleep over several marks tells only what is true now', () => {
    expect(countdownAnnouncement(600_000, 42_000, 'denied')).toBe('42 seconds left until it is denied.');
    expect(countdownAnnouncement(600_000, -1, 'denied')).toBe('Time ran out: denied.');
  });
});

describe('the burning rule', () => {
  it.each([[50, 100, 50], [0, 100, 0], [-5, 100, 0], [150, 100, 100], [10, 0, 0]])('with %d of %d ms left covers %d per cent', (left, total, share) => {
    expect(shareLeft(left, total)).toBe(share);
  });
});
