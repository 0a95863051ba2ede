/** Twice what the plane takes in at most, and room for envelopes. */
export const answerBytes = 2 * 1024 * 1024;

/** A body as bytes; undefined when it is over the bound, of which no more than that is ever held. */
export async function readBounded(response: Response): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    length += part.value.length;
    if (length > answerBytes) {
      await reader?.cancel();
      return undefined;
    }
    parts.push(part.value);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
