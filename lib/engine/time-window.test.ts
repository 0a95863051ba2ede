import { describe, expect, test } from 'vitest';

import { actionFrom, issuesOf, noon, policyFrom, policyText, snapshotWith } from '@/lib/testing/engine-fixtures';

import { decide } from './decide';

const rule = (window: string, action: string): string => `  - { id: r, match: { tool: email, operation: send }, context: { time_window: ${window} }, action: ${action} }\n`;
const mail = { to: 'bob@corp.example', body: 'x' };

/** What a rule that denies during the window says at an instant, over ALLOW. */
function denies(window: string, utc: string): boolean {
  const policy = policyFrom(policyText(`${rule(window, 'DENY')}  - { id: open, match: { tool: email }, action: ALLOW }`));
  return decide(actionFrom('email.send', mail, policy), snapshotWith(), policy, utc).decision === 'DENY';
}

const office = '{ zone: Europe/Berlin, days: [mon-fri], from: "08:00", to: "18:00" }';

describe('a time window', () => {
  test.each<[string, string, boolean]>([
    [office, '2030-06-03T05:59:59.000Z', false],
    ['{ zone: UTC, from: "08:30", to: "22:30" }', '2030-06-03T03:00:00.000Z', false],
    [office, '2030-06-03T06:00:00.000Z', true],
    [office, '2030-06-03T15:59:59.000Z', true],
    [office, '2030-06-03T16:00:00.000Z', false],
    [office, '2030-06-08T10:00:00.000Z', false],
    [office, '2030-12-02T06:30:00.000Z', false],
    [office, '2030-12-02T07:00:00.000Z', true],
    [`{ not: ${office} }`, '2030-06-03T05:59:59.000Z', true],
    [`{ not: ${office} }`, '2030-06-03T06:00:00.000Z', false],
    [`{ not: [${office}, { zone: Europe/Berlin, days: sat, from: "10:00", to: "12:00" }] }`, '2030-06-08T09:00:00.000Z', false],
    [`[${office}, { zone: Europe/Berlin, days: sat, from: "10:00", to: "12:00" }]`, '2030-06-08T09:00:00.000Z', true],
    ['{ zone: Asia/Tokyo, from: "22:00", to: "06:00" }', '2030-06-03T13:00:00.000Z', true],
    ['{ zone: Asia/Tokyo, from: "22:00", to: "06:00" }', '2030-06-03T20:59:00.000Z', true],
    ['{ zone: Asia/Tokyo, from: "22:00", to: "06:00" }', '2030-06-03T21:00:00.000Z', false],
    // Friday's night belongs to Friday until its end.
    ['{ zone: UTC, days: [fri], from: "22:00", to: "06:00" }', '2030-06-08T05:59:00.000Z', true],
    ['{ zone: UTC, days: [fri], from: "22:00", to: "06:00" }', '2030-06-07T05:59:00.000Z', false],
    ['{ zone: UTC, days: [sat-mon] }', '2030-06-03T00:00:00.000Z', true],
    ['{ zone: UTC, days: [sat-mon] }', '2030-06-04T00:00:00.000Z', false],
    ['{ zone: UTC, from: "23:00", to: "24:00" }', '2030-06-03T23:59:59.999Z', true],
    ['{ zone: America/New_York, dates: [2030-12-24, 2030-12-25] }', '2030-12-26T04:59:00.000Z', true],
    ['{ zone: America/New_York, dates: [2030-12-24, 2030-12-25] }', '2030-12-26T05:00:00.000Z', false],
    ['{ zone: UTC, dates: 2030-12-31, from: "20:00", to: "04:00" }', '2031-01-01T03:00:00.000Z', true],
    // The hour that comes twice is in the window both times, the one that is left out never.
    ['{ zone: Europe/Berlin, from: "02:30", to: "02:45" }', '2030-10-27T00:30:00.000Z', true],
    ['{ zone: Europe/Berlin, from: "02:30", to: "02:45" }', '2030-10-27T01:30:00.000Z', true],
    ['{ zone: Europe/Berlin, from: "02:30", to: "02:45" }', '2030-03-31T01:30:00.000Z', false],
  ])('%s at %s holds: %s', (window, utc, wanted) => {
    expect(denies(window, utc)).toBe(wanted);
  });

  test('lets a rule that allows do so only within it, and says what it read', () => {
    const policy = policyFrom(policyText(rule(office, 'ALLOW')));
    const at = (utc: string) => decide(actionFrom('email.send', mail, policy), snapshotWith({ signals: [] }), policy, utc);
    expect(at('2030-06-08T10:00:00.000Z').decision).toBe('DENY');
    const decided = at(noon);
    expect(decided.considered.concat(decided.determining.map(({ id }) => ({ id, outcome: 'true' as const })))).toContainEqual({ id: 'r', outcome: 'true' });
    expect(decided.determining.flatMap(({ read }) => read)).toContainEqual({ field: 'time_window', value: '2030-06-03 14:00 Europe/Berlin' });
  });

  test('makes the decision name the table, and no other policy names it', () => {
    const names = (text: string): readonly string[] => policyFrom(text).tables.map(({ name }) => name);
    expect(names(policyText(rule(office, 'DENY')))).toEqual(['stock', 'lexicon', 'time-zones']);
    expect(names(policyText('  - { id: a, match: { tool: email }, action: DENY }'))).toEqual(['stock', 'lexicon']);
  });

  test.each([
    ['{ zone: Europe/Berln, days: [mon] }', /no time zone "Europe\/Berln"/, 'Did you mean Europe/Berlin?'],
    ['{ days: [mon] }', /needs its zone/, undefined],
    ['{ zone: UTC }', /always holds/, undefined],
    ['{ zone: UTC, days: [funday] }', /no day "funday"/, undefined],
    ['{ zone: UTC, days: [] }', /empty list of days/, undefined],
    ['{ zone: UTC, from: "25:00" }', /no time of day "25:00"/, undefined],
    ['{ zone: UTC, from: 8 }', /no time of day 8/, undefined],
    ['{ zone: UTC, from: "08:00", to: "08:00" }', /ends when it begins/, undefined],
    ['{ zone: UTC, dates: [2030-02-30] }', /no date "2030-02-30"/, undefined],
    ['{ zone: UTC, day: mon }', /no key "day"/, undefined],
    ['[]', /empty list of windows/, undefined],
    ['office', /Wanted a window/, undefined],
    ['{ not: { zone: UTC, days: [mon] }, zone: UTC }', /not stands alone/, undefined],
  ])('refuses %s', (window, message, fix) => {
    const issues = issuesOf(policyText(rule(window, 'DENY')));
    expect(issues.map((issue) => issue.message).join('\n')).toMatch(message);
    if (fix !== undefined) expect(issues.map((issue) => issue.fix)).toContain(fix);
  });
});
