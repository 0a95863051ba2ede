import type { Digest } from './ids';

/** Synchronous SHA-256, handed in by the host so that Node and browsers run the same core. 32 bytes out. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;

/** The same of a text's UTF-8, in hex, for hosts that have it in one step. */
export type Sha256OfText = (text: string) => string;

const encoder = new TextEncoder();
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export const utf8 = (text: string): Uint8Array => encoder.encode(text);

/** Undefined when the bytes are not valid UTF-8. */
export function fromUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return undefined;
  }
}

const hexDigits = [...'0123456789abcdef'].map((digit) => digit.charCodeAt(0));
/** Code units handed to one call: more would risk the runtime's bound on arguments. */
const hexChunk = 4096;

/** By code units, a chunk at a time: joining digit by digit leaves a chain of small texts behind for every digest. */
export function toHex(bytes: Uint8Array): string {
  const codes = new Array<number>(bytes.length * 2);
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    codes[2 * i] = hexDigits[byte >> 4] ?? 0;
    codes[2 * i + 1] = hexDigits[byte & 15] ?? 0;
  }
  if (codes.length <= hexChunk) return String.fromCharCode(...codes);
  let text = '';
  for (let at = 0; at < codes.length; at += hexChunk) text += String.fromCharCode(...codes.slice(at, at + hexChunk));
  return text;
}

/** Undefined unless the text is lower-case hex of an even length. */
export function fromHex(text: string): Uint8Array | undefined {
  if (!/^(?:[0-9a-f]{2})*$/.test(text)) return undefined;
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

const base64Digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Two digits for each 12 bits: half the steps of one digit at a time. */
const base64Pairs = Array.from({ length: 4096 }, (_, bits) => base64Digits.charAt(bits >> 6) + base64Digits.charAt(bits & 63));

export function toBase64(bytes: Uint8Array): string {
  const whole = bytes.length - (bytes.length % 3);
  let text = '';
  for (let i = 0; i < whole; i += 3) {
    const bits = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    text += (base64Pairs[bits >> 12] ?? '') + (base64Pairs[bits & 4095] ?? '');
  }
  const rest = bytes.length - whole;
  if (rest === 1) text += `${base64Pairs[(bytes[whole] ?? 0) << 4] ?? ''}==`;
  if (rest === 2) {
    const bits = (((bytes[whole] ?? 0) << 8) | (bytes[whole + 1] ?? 0)) << 2;
    text += `${base64Pairs[bits >> 6] ?? ''}${base64Digits.charAt(bits & 63)}=`;
  }
  return text;
}

const base64Values = new Int8Array(128).fill(-1);
for (const [value, character] of [...base64Digits].entries()) {
  base64Values[character.charCodeAt(0)] = value;
}

/**
 * Undefined unless the text is the canonical standard base64 of some bytes: padding present, no spaces, unused bits zero.
 * A loop of its own: every envelope is read through here several times, and `atob` accepts what is not canonical.
 */
export function fromBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  const end = text.length - padding;
  let buffer = 0;
  let bits = 0;
  let offset = 0;
  for (let i = 0; i < end; i++) {
    const value = base64Values[text.charCodeAt(i)] ?? -1;
    if (value < 0) return undefined;
    buffer = ((buffer << 6) | value) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[offset++] = buffer >> bits;
    }
  }
  // What is left over after the last byte has to be zero, or a second text would mean the same bytes.
  return (buffer & ((1 << bits) - 1)) === 0 ? bytes : undefined;
}

/** A SHA-256 hash as it stands in documents. */
export const hexDigest = (hash: Uint8Array): Digest => toHex(hash) as Digest;

/** A SHA-256 value (32 bytes) as the text that documents and receipts name. */
export const digestText = (hash: Uint8Array): Digest => toHex(hash) as Digest;

export const digestOf = (sha256: Sha256, bytes: Uint8Array): Digest => digestText(sha256(bytes));

export function bytesEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= (a[i] ?? 0) ^ (b[i] ?? 0);
  return difference === 0;
}

export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
