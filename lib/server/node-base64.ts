/** Standard base64 as Node has it: some fifteen times as fast as the core's own loop. */
export const nodeBase64 = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');

/** The UTF-8 text behind standard base64. Not strict: for bytes that a hash has vouched for. */
export const nodeBase64Text = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8');
