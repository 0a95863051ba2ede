export const elementTypes = { bool: 16, bytea: 17, int8: 20, int4: 23, text: 25, timestamptz: 1184 } as const;

export type ElementType = keyof typeof elementTypes;

/** A cell as the stores have it; `int8` as decimal text or a safe integer, `timestamptz` as ISO 8601, `bytea` as bytes. */
export type Cell = string | number | boolean | Uint8Array | null;

/** 2000-01-01T00:00:00Z, from which PostgreSQL counts its microseconds. */
const postgresEpochMs = 946_684_800_000;
const nullLength = -1;
const headerBytes = 20;

/**
 * One column of many rows as PostgreSQL reads arrays in binary form, so that nothing is escaped here nor parsed there: the
 * texts of receipts are long and full of quotes. Throws on a cell that its type cannot hold.
 * Source: PostgreSQL, src/backend/utils/adt/arrayfuncs.c (array_recv) and the *_recv functions of the element types.
 */
export function binaryArray(type: ElementType, cells: readonly Cell[]): Buffer {
  const buffer = Buffer.allocUnsafe(headerBytes + cells.reduce((sum: number, cell) => sum + 4 + roomFor(type, cell), 0));
  buffer.writeInt32BE(1, 0);
  buffer.writeInt32BE(1, 4);
  buffer.writeInt32BE(elementTypes[type], 8);
  buffer.writeInt32BE(cells.length, 12);
  buffer.writeInt32BE(1, 16);
  let at = headerBytes;
  for (const cell of cells) {
    const length = cell === null ? nullLength : put(type, cell, buffer, at + 4);
    buffer.writeInt32BE(length, at);
    at += 4 + Math.max(length, 0);
  }
  return buffer.subarray(0, at);
}

function roomFor(type: ElementType, cell: Cell): number {
  if (cell === null) return 0;
  if (typeof cell === 'string' && type === 'text') return Buffer.byteLength(cell);
  return cell instanceof Uint8Array ? cell.length : 8;
}

/** Writes one cell and gives its length in bytes. */
function put(type: ElementType, cell: Exclude<Cell, null>, buffer: Buffer, at: number): number {
  switch (type) {
    case 'text':
      // What is not well-formed would be written as something else than it was.
      if (typeof cell === 'string' && cell.isWellFormed()) return buffer.write(cell, at);
      break;
    case 'bytea':
      if (cell instanceof Uint8Array) {
        buffer.set(cell, at);
        return cell.length;
      }
      break;
    case 'bool':
      if (typeof cell === 'boolean') return buffer.writeUInt8(cell ? 1 : 0, at) - at;
      break;
    case 'int4':
      if (typeof cell === 'number') return buffer.writeInt32BE(cell, at) - at;
      break;
    case 'int8':
      if (typeof cell === 'number' || typeof cell === 'string') return buffer.writeBigInt64BE(BigInt(cell), at) - at;
      break;
    case 'timestamptz':
      if (typeof cell === 'string') return putTime(cell, buffer, at);
      break;
  }
  throw new TypeError(`A ${typeof cell} does not fit a column of the type ${type}.`);
}

function putTime(iso: string, buffer: Buffer, at: number): number {
  const ms = Date.parse(iso) - postgresEpochMs;
  if (Number.isNaN(ms)) throw new TypeError('A time is not ISO 8601.');
  return buffer.writeBigInt64BE(BigInt(ms) * 1000n, at) - at;
}
