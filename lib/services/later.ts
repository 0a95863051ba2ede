/** The time so many seconds after another (ISO, UTC, milliseconds). */
export const later = (at: string, seconds: number): string => new Date(Date.parse(at) + Math.round(seconds * 1000)).toISOString();
