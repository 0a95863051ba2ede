import { canonicalBytes } from '@/lib/shared/canonical-json';
import { digestOf, type Sha256 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';

import { timeZoneRows, tzdataRelease } from './time-zone-table';

/** Changes with the table or with how it is read. */
export const timeZonesVersion = 1;

/** A day such as "last Sunday of March" with the local time at which clocks change: month 1–12, week 1–5 (5 = last), weekday 0–6 (0 = Sunday). */
export type ChangeDay = { readonly month: number; readonly week: number; readonly weekday: number; readonly minute: number };

/** Offsets are minutes east of UTC. */
export type TimeZone = {
  readonly name: string;
  readonly standard: number;
  /** Null: clocks do not change any more. */
  readonly summer: { readonly offset: number; readonly starts: ChangeDay; readonly ends: ChangeDay } | null;
  /** Offset before the first of `changes`; without any, the rule alone counts. */
  readonly before: number;
  /** Changes that the rule does not give, oldest first; `at` is minutes since 1970, UTC. From the last one on the rule counts. */
  readonly changes: readonly { readonly at: number; readonly offset: number }[];
};

/** Names of zones and their aliases, by IANA; a name is exact, its case included. */
export const timeZoneNames: readonly string[] = timeZoneRows.flatMap((row) => (row.split('|')[2] ?? '').split(' ')).sort();

const rowOf = new Map(timeZoneRows.flatMap((row) => (row.split('|')[2] ?? '').split(' ').map((name) => [name, row] as const)));

/** The zone of that IANA name, from the table that ships; undefined when there is none. */
export function timeZoneOf(name: string): TimeZone | undefined {
  const row = rowOf.get(name);
  return row === undefined ? undefined : readRow(name, row);
}

/** Of the whole table: a decision that read a time names it. */
export const timeZonesDigest = (sha256: Sha256): Digest => digestOf(sha256, canonicalBytes({ version: timeZonesVersion, tzdata: tzdataRelease, rows: timeZoneRows }));

/** `60 120 3.5.0.120 10.5.0.180|60 26500000:120|Europe/Berlin`: rule, then offset and changes that the rule does not give, then names. */
function readRow(name: string, row: string): TimeZone {
  const [rule = '', explicit = ''] = row.split('|');
  const [standard = '0', offset, starts, ends] = rule.split(' ');
  const [before = standard, ...changes] = explicit === '' ? [] : explicit.split(' ');
  return {
    name,
    standard: Number(standard),
    summer: offset === undefined || starts === undefined || ends === undefined ? null : { offset: Number(offset), starts: changeDay(starts), ends: changeDay(ends) },
    before: Number(before),
    changes: changes.map((change) => {
      const [at, then] = change.split(':').map(Number);
      return { at: at ?? 0, offset: then ?? 0 };
    }),
  };
}

function changeDay(text: string): ChangeDay {
  const [month = 1, week = 1, weekday = 0, minute = 0] = text.split('.').map(Number);
  return { month, week, weekday, minute };
}
