/** Text as it comes, as the body of an answer. The next part is made when the reader has room; a reader that goes away ends the making. */
export function textStream(parts: AsyncGenerator<string, void, undefined>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const part = await parts.next();
      if (part.done === true) controller.close();
      else controller.enqueue(encoder.encode(part.value));
    },
    cancel: async () => { await parts.return(); },
  });
}
