/** An observation from the future is dated now: it must not stay fresh for longer than others. One that cannot be read likewise. */
export function observedTime(stated: string | undefined, now: string): string {
  const time = stated === undefined ? Number.NaN : Date.parse(stated);
  return Number.isNaN(time) || time > Date.parse(now) ? now : new Date(time).toISOString();
}
