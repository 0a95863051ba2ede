/**
 * Row ↔ domain: each cell is read as what its column must hold. A cell that holds something else was written by another
 * program; reading on would decide on a guess, so it throws.
 */
export type Row = Readonly<Record<string, unknown>>;

export class UnreadableRow extends Error {
  override readonly name = 'UnreadableRow';
  constructor(wanted: string, value: unknown) {
    super(`A cell of the database should hold ${wanted}, but holds a ${value === null ? 'null' : typeof value}.`);
  }
}

export function text(value: unknown): string {
  if (typeof value !== 'string') throw new UnreadableRow('text', value);
  return value;
}

export function int(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw new UnreadableRow('an integer', value);
  return value;
}

/** `int8` arrives as decimal text, because a double does not hold it. */
export function big(value: unknown): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value !== 'string' || !/^-?\d{1,19}$/.test(value)) throw new UnreadableRow('a big integer', value);
  return BigInt(value);
}

export function bool(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new UnreadableRow('a boolean', value);
  return value;
}

/** ISO 8601, UTC, milliseconds: the columns keep no more. */
export function time(value: unknown): string {
  if (!(value instanceof Date) || Number.isNaN(value.getTime())) throw new UnreadableRow('a time', value);
  return value.toISOString();
}

export function texts(value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw new UnreadableRow('a list of texts', value);
  return value.map(text);
}

/** Copied out of the driver's buffer, which is a part of everything it read. */
export function bytes(value: unknown): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new UnreadableRow('bytes', value);
  return new Uint8Array(value);
}

export const orNull =
  <T>(read: (value: unknown) => T) =>
  (value: unknown): T | null =>
    value === null || value === undefined ? null : read(value);

export const oneOf =
  <T extends string>(values: readonly T[]) =>
  (value: unknown): T => {
    const found = values.find((candidate) => candidate === value);
    if (found === undefined) throw new UnreadableRow(`one of ${values.join(', ')}`, value);
    return found;
  };
