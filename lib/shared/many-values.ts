const [quote, backslash] = [0x22, 0x5c];
const [comma, list, object] = [0x2c, 0x5b, 0x7b];

/**
 * Whether JSON text holds more than `most` values, told from its bytes before anything is parsed: a value of two bytes takes tens in
 * memory, and a parser that runs out of memory ends its process instead of refusing. Exact for JSON, near for anything else.
 */
export function hasMoreValues(bytes: Uint8Array, most: number): boolean {
  if (bytes.length <= most) return false;
  let values = 1;
  let inText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (inText) {
      if (byte === backslash) at++;
      else if (byte === quote) inText = false;
    } else if (byte === quote) inText = true;
    else if ((byte === comma || byte === list || byte === object) && ++values > most) return true;
  }
  return false;
}
