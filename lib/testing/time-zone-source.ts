import fs from 'node:fs';
import path from 'node:path';

/** Where an operating system keeps the compiled IANA time zone database (RFC 9636). */
export const zoneFolder = '/usr/share/zoneinfo';

/** The table begins here: nothing is decided about earlier times. */
const beginsS = Date.UTC(2020, 0, 1) / 1000;

/** Release of the database on this machine, such as 2025b; null when there is none. */
export function tzdataReleaseHere(): string | null {
  const file = path.join(zoneFolder, 'tzdata.zi');
  if (!fs.existsSync(file)) return null;
  return /^# version (\S+)/.exec(fs.readFileSync(file, 'utf8'))?.[1] ?? null;
}

/** The rows of `lib/engine/time-zone-table.ts` as the files of this machine give them. */
export function timeZoneRowsHere(): readonly string[] {
  const names = new Map<string, string[]>();
  for (const name of zoneNames()) {
    const row = rowOf(readZone(fs.readFileSync(path.join(zoneFolder, name))));
    names.set(row, [...(names.get(row) ?? []), name]);
  }
  return [...names].map(([row, of]) => `${row}|${of.sort().join(' ')}`).sort();
}

/** Zones and links that tzdata itself names; `posix/`, `right/` and what systems add are left out. */
function zoneNames(): readonly string[] {
  const found = new Set<string>();
  for (const line of fs.readFileSync(path.join(zoneFolder, 'tzdata.zi'), 'utf8').split('\n')) {
    const [kind, first, second] = line.split(' ');
    const name = kind === 'Z' ? first : kind === 'L' ? second : undefined;
    if (name !== undefined && name !== 'Factory' && !name.startsWith('Etc/Unknown')) found.add(name);
  }
  return [...found].sort();
}

type Zone = { readonly footer: string; readonly before: number; readonly changes: readonly { readonly at: number; readonly offset: number }[] };

/** Changes since the table begins and the rule for all later ones, from version 2 or later of the format. */
function readZone(bytes: Buffer): Zone {
  const header = (at: number): readonly number[] => Array.from({ length: 6 }, (_, i) => bytes.readUInt32BE(at + 20 + i * 4));
  const [utc = 0, std = 0, leap = 0, times = 0, types = 0, chars = 0] = header(0);
  const second = 44 + times * 5 + types * 6 + chars + leap * 8 + std + utc;
  const [utc2 = 0, std2 = 0, leap2 = 0, times2 = 0, types2 = 0, chars2 = 0] = header(second);
  const start = second + 44;
  const typesAt = start + times2 * 9;
  const offsetOf = (type: number): number => bytes.readInt32BE(typesAt + type * 6) / 60;
  const all = Array.from({ length: times2 }, (_, i) => ({
    at: Number(bytes.readBigInt64BE(start + i * 8)),
    offset: offsetOf(bytes.readUInt8(start + times2 * 8 + i)),
  }));
  const footer = bytes.subarray(typesAt + types2 * 6 + chars2 + leap2 * 12 + std2 + utc2).toString('ascii').trim();
  // Entries that only rename what the clock shows are left out.
  const real = all.filter(({ offset }, i) => offset !== (all[i - 1]?.offset ?? offsetOf(0)));
  return { footer, before: real.filter(({ at }) => at < beginsS).at(-1)?.offset ?? offsetOf(0), changes: real.filter(({ at }) => at >= beginsS) };
}

/** Changes that only repeat the rule are left out, from the end backwards. */
function rowOf({ footer, before, changes }: Zone): string {
  const rule = ruleOf(footer);
  const byRule = new Set<string>();
  for (let year = 2019; year <= 2100; year += 1) for (const { at, offset } of rule.changesOf(year)) byRule.add(`${String(at)} ${String(offset)}`);
  const odd = changes.findLastIndex(({ at, offset }) => !byRule.has(`${String(at)} ${String(offset)}`));
  const startsByRule = odd < 0 && before === rule.offsetAtStart;
  const kept = changes.slice(0, odd + 1);
  const explicit = startsByRule || kept.length === 0 ? '' : [String(before), ...kept.map(({ at, offset }) => `${String(whole(at / 60))}:${String(whole(offset))}`)].join(' ');
  return `${rule.row}|${explicit}`;
}

type Rule = { readonly row: string; readonly offsetAtStart: number; readonly changesOf: (year: number) => readonly { readonly at: number; readonly offset: number }[] };

/** A POSIX TZ text such as `CET-1CEST,M3.5.0,M10.5.0/3`; offsets there count westwards. */
function ruleOf(footer: string): Rule {
  const match = /^(?:<[^>]+>|[A-Za-z]+)([-+\d:]+)(?:(?:<[^>]+>|[A-Za-z]+)([-+\d:]+)?,(M[^,]+),(M[^,]+))?$/.exec(footer);
  if (!match) throw new Error(`The rule ${footer} has a form that this table has no room for.`);
  const standard = -minutes(match[1] ?? '0');
  const [starts, ends] = [match[3], match[4]].map((text) => (text === undefined ? null : dayOf(text)));
  if (!starts || !ends) return { row: String(standard), offsetAtStart: standard, changesOf: () => [] };
  const summer = match[2] === undefined ? standard + 60 : -minutes(match[2]);
  const text = (day: readonly number[]): string => day.join('.');
  const changesOf = (year: number) => [
    { at: instant(year, starts, standard), offset: summer },
    { at: instant(year, ends, summer), offset: standard },
  ];
  const [first] = [...changesOf(2019), ...changesOf(2020)].filter(({ at }) => at < beginsS).sort((a, b) => b.at - a.at);
  return { row: `${String(standard)} ${String(summer)} ${text(starts)} ${text(ends)}`, offsetAtStart: first?.offset ?? standard, changesOf };
}

/** `M10.5.0/3` → month, week, weekday, minutes after midnight. */
function dayOf(text: string): readonly number[] {
  const match = /^M(\d+)\.(\d+)\.(\d+)(?:\/([-\d:]+))?$/.exec(text);
  if (!match) throw new Error(`The day ${text} has a form that this table has no room for.`);
  return [Number(match[1]), Number(match[2]), Number(match[3]), match[4] === undefined ? 120 : minutes(match[4])];
}

/** By counting days, so that the table is not checked by the code that reads it. Seconds since 1970. */
function instant(year: number, [month = 1, week = 1, weekday = 0, minute = 0]: readonly number[], offset: number): number {
  const days = Array.from({ length: 31 }, (_, i) => new Date(Date.UTC(year, month - 1, i + 1))).filter((day) => day.getUTCMonth() === month - 1 && day.getUTCDay() === weekday);
  const day = days[Math.min(week, days.length) - 1];
  if (!day) throw new Error('Every month has each day of the week.');
  return day.getTime() / 1000 + (minute - offset) * 60;
}

function minutes(text: string): number {
  const sign = text.startsWith('-') ? -1 : 1;
  const [hours = 0, rest = 0] = text.replace(/^[-+]/, '').split(':').map(Number);
  return sign * (hours * 60 + rest);
}

function whole(value: number): number {
  if (!Number.isInteger(value)) throw new Error(`${String(value)} is not a whole number of minutes.`);
  return value;
}
