import { describe, expect, test } from 'vitest';

import { nodeSha256 } from '@/lib/testing/node-crypto';
import { timeZoneRowsHere, tzdataReleaseHere } from '@/lib/testing/time-zone-source';

import { localTime, offsetAt } from './local-time';
import { timeZoneRows, tzdataRelease } from './time-zone-table';
import { timeZoneNames, timeZoneOf, timeZonesDigest, type TimeZone } from './time-zones';

function zone(name: string): TimeZone {
  const found = timeZoneOf(name);
  if (!found) throw new Error(`The table has no ${name}.`);
  return found;
}

const shown = (name: string, utc: string): string => {
  const { date, minute, weekday } = localTime(zone(name), Date.parse(utc));
  return `${['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'][weekday] ?? ''} ${date} ${String(Math.floor(minute / 60))}:${String(minute % 60).padStart(2, '0')}`;
};

describe('a wall clock', () => {
  test.each([
    ['Europe/Berlin', '2030-03-31T00:59:59.999Z', 'Sun 2030-03-31 1:59'],
    ['Europe/Berlin', '2030-03-31T01:00:00.000Z', 'Sun 2030-03-31 3:00'],
    ['Europe/Berlin', '2030-10-27T00:59:00.000Z', 'Sun 2030-10-27 2:59'],
    ['Europe/Berlin', '2030-10-27T01:00:00.000Z', 'Sun 2030-10-27 2:00'],
    ['Europe/London', '2031-06-30T23:30:00.000Z', 'Tue 2031-07-01 0:30'],
    ['America/New_York', '2030-03-10T06:59:00.000Z', 'Sun 2030-03-10 1:59'],
    ['America/New_York', '2030-03-10T07:00:00.000Z', 'Sun 2030-03-10 3:00'],
    ['America/New_York', '2030-11-03T05:59:00.000Z', 'Sun 2030-11-03 1:59'],
    ['America/New_York', '2030-11-03T06:00:00.000Z', 'Sun 2030-11-03 1:00'],
    ['Australia/Sydney', '2031-01-01T00:00:00.000Z', 'Wed 2031-01-01 11:00'],
    ['Australia/Sydney', '2031-07-01T00:00:00.000Z', 'Tue 2031-07-01 10:00'],
    ['Australia/Sydney', '2031-04-05T15:59:00.000Z', 'Sun 2031-04-06 2:59'],
    ['Australia/Sydney', '2031-04-05T16:00:00.000Z', 'Sun 2031-04-06 2:00'],
    ['Australia/Lord_Howe', '2031-01-01T00:00:00.000Z', 'Wed 2031-01-01 11:00'],
    ['Australia/Lord_Howe', '2031-07-01T00:00:00.000Z', 'Tue 2031-07-01 10:30'],
    ['Asia/Tokyo', '2030-12-31T15:00:00.000Z', 'Wed 2031-01-01 0:00'],
    ['Asia/Kolkata', '2030-06-03T12:00:00.000Z', 'Mon 2030-06-03 17:30'],
    ['Asia/Kathmandu', '2030-06-03T12:00:00.000Z', 'Mon 2030-06-03 17:45'],
    ['America/Sao_Paulo', '2031-01-01T12:00:00.000Z', 'Wed 2031-01-01 9:00'],
    ['Europe/Dublin', '2031-01-01T12:00:00.000Z', 'Wed 2031-01-01 12:00'],
    ['Europe/Dublin', '2031-07-01T12:00:00.000Z', 'Tue 2031-07-01 13:00'],
    ['America/Nuuk', '2031-07-01T12:00:00.000Z', 'Tue 2031-07-01 11:00'],
    ['UTC', '2028-02-29T23:59:00.000Z', 'Tue 2028-02-29 23:59'],
    ['Pacific/Kiritimati', '2030-12-31T10:00:00.000Z', 'Wed 2031-01-01 0:00'],
    ['Etc/GMT+5', '2030-06-03T12:00:00.000Z', 'Mon 2030-06-03 7:00'],
    ['Africa/Casablanca', '2031-06-03T12:00:00.000Z', 'Tue 2031-06-03 13:00'],
    ['Europe/Berlin', '2099-07-01T12:00:00.000Z', 'Wed 2099-07-01 14:00'],
  ])('in %s at %s shows %s', (name, utc, wanted) => {
    expect(shown(name, utc)).toBe(wanted);
  });
});

describe('the table of time zones', () => {
  test('agrees with the host’s own calendar in zones whose rules are settled', () => {
    const names = ['Europe/Berlin', 'Europe/London', 'America/New_York', 'America/Los_Angeles', 'Australia/Sydney', 'Pacific/Auckland', 'Asia/Tokyo', 'Asia/Kolkata', 'America/Santiago', 'Asia/Jerusalem', 'America/St_Johns', 'Africa/Cairo'];
    const wrong: string[] = [];
    for (const name of names) {
      const host = new Intl.DateTimeFormat('en-GB', { timeZone: name, hour12: false, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' });
      for (let ms = Date.UTC(2025, 0, 1); ms < Date.UTC(2037, 0, 1); ms += 13 * 3_600_000 + 60_000 * 13) {
        const { date, minute } = localTime(zone(name), ms);
        const part = Object.fromEntries(host.formatToParts(ms).map(({ type, value }) => [type, value]));
        const wanted = `${part.year ?? ''}-${part.month ?? ''}-${part.day ?? ''} ${String(Number(part.hour) * 60 + Number(part.minute))}`;
        if (`${date} ${String(minute)}` !== wanted) wrong.push(`${name} ${new Date(ms).toISOString()}: ${date} ${String(minute)}, the host says ${wanted}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('is what this machine’s zone files say', (context) => {
    if (tzdataReleaseHere() !== tzdataRelease) return context.skip(`this machine has tzdata ${tzdataReleaseHere() ?? '(none)'}, the table is of ${tzdataRelease}`);
    expect(timeZoneRowsHere()).toEqual(timeZoneRows);
  });

  test('knows every name once, aliases included, and no others', () => {
    expect(timeZoneNames.length).toBe(new Set(timeZoneNames).size);
    expect(timeZoneNames.length).toBeGreaterThan(590);
    expect(zone('Asia/Calcutta')).toEqual({ ...zone('Asia/Kolkata'), name: 'Asia/Calcutta' });
    for (const name of ['europe/berlin', 'Europe/Berlin ', 'constructor', '__proto__', '', 'Mars/Olympus']) expect(timeZoneOf(name)).toBeUndefined();
  });

  test('gives every zone an offset of at most a day at any time', () => {
    for (const name of timeZoneNames) for (const year of [1970, 2020, 2026, 2050, 2099, 2300]) expect(Math.abs(offsetAt(zone(name), Date.UTC(year, 6, 1)))).toBeLessThanOrEqual(14 * 60);
  });

  test('has the digest that decisions name', () => {
    expect(timeZonesDigest(nodeSha256)).toMatch(/^[0-9a-f]{64}$/);
    expect(timeZonesDigest(nodeSha256)).toBe(timeZonesDigest(nodeSha256));
  });
});
