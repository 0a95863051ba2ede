import { randomBytes, randomFillSync } from 'node:crypto';

import type { Ids } from '@/lib/ports/ids';
import { idPrefixes, type IdKind, type IdOf } from '@/lib/shared/ids';

const digits = '0123456789abcdefghijklmnopqrstuvwxyz';

/** 36^22 is about 2^113: beyond guessing, and no two are ever equal. */
const suffixLength = 22;

/** The largest multiple of 36 in a byte: bytes from here on would make some digits likelier, so they are thrown away. */
const fairBytes = 252;

/** Ids from the operating system's randomness, drawn in blocks because a call for each costs more than the id. */
export function randomIds(): Ids {
  const block = Buffer.alloc(4096);
  let used = block.length;

  function nextByte(): number {
    if (used === block.length) {
      randomFillSync(block);
      used = 0;
    }
    const byte = block.readUInt8(used);
    // A byte that made an id does not stay in memory.
    block.writeUInt8(0, used);
    used += 1;
    return byte;
  }

  function suffix(): string {
    let text = '';
    while (text.length < suffixLength) {
      const byte = nextByte();
      if (byte < fairBytes) text += digits.charAt(byte % digits.length);
    }
    return text;
  }

  return {
    make: <Kind extends IdKind>(kind: Kind) => asId<Kind>(`${idPrefixes[kind]}_${suffix()}`),
    token: (prefix) => `${prefix}_${randomBytes(32).toString('base64url')}`,
    salt: () => {
      const bytes = new Uint8Array(16);
      for (let at = 0; at < bytes.length; at++) bytes[at] = nextByte();
      return bytes;
    },
  };
}

// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- made right above in the form that isId asks for; tested.
const asId = <Kind extends IdKind>(text: string): IdOf<Kind> => text as IdOf<Kind>;
