/** A UTC time with milliseconds, `2026-01-31T09:05:00.000Z`: one width, so that comparing the texts compares the times. */
export type Timestamp = string;

const shape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** True only for the one spelling of a time that exists (no 30 February, no offset, no other precision). */
export function isTimestamp(text: string): text is Timestamp {
  if (!shape.test(text)) return false;
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString() === text;
}
