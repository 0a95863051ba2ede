import { fromBase64, fromHex, fromUtf8 } from '@/lib/shared/encoding';

/** Characters of one text that are tried as base64 or hex at most. */
const mostTried = 40_000;
const deepest = 2;

/** A text that another one holds in an encoding. `opaque`: one that no person reads as it stands, such as base64. */
export type DecodedText = { readonly text: string; readonly opaque: boolean };

/** What the text says once its encodings are undone: HTML entities, percent and backslash escapes, base64 and hex; also two upon each other. Bounded. */
export function decodedTexts(text: string, depth = 1): readonly DecodedText[] {
  const found: DecodedText[] = [];
  const escaped = unescaped(text);
  if (escaped !== undefined) found.push({ text: escaped, opaque: false });
  for (const inner of packedIn(text)) found.push({ text: inner, opaque: true });
  if (depth >= deepest) return found;
  return found.flatMap((one) => [one, ...decodedTexts(one.text, depth + 1).map((inner) => ({ ...inner, opaque: one.opaque || inner.opaque }))]);
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', commat: '@', period: '.', colon: ':', sol: '/', num: '#', plus: '+', dollar: '$', percnt: '%', lowbar: '_', hyphen: '-' };

function unescaped(text: string): string | undefined {
  if (!/&[#a-z]|%[0-9a-f]{2}|\\[ux]/i.test(text)) return undefined;
  const plain = text
    .replace(/&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));?|&([a-z]{2,8});/gi, (whole, hex?: string, decimal?: string, name?: string) =>
      name === undefined ? character(hex === undefined ? Number(decimal) : parseInt(hex, 16), whole) : (named[name.toLowerCase()] ?? whole))
    .replace(/\\u\{([0-9a-f]{1,6})\}|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})/gi, (whole, long?: string, short?: string, byte?: string) =>
      character(parseInt(long ?? short ?? byte ?? '', 16), whole))
    .replace(/(?:%[0-9a-f]{2})+/gi, (whole) => {
      const bytes = fromHex(whole.replaceAll('%', '').toLowerCase());
      return (bytes && fromUtf8(bytes)) ?? whole;
    });
  return plain === text ? undefined : plain;
}

const character = (code: number, otherwise: string): string => (code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : otherwise);

/** Runs of letters and digits that are a readable text in base64 or hex. */
function packedIn(text: string): readonly string[] {
  const found: string[] = [];
  let left = mostTried;
  for (const [token] of text.matchAll(/[A-Za-z0-9+/_-]{8,}={0,2}/g)) {
    // Words and dates are neither: hex has no other letters, and base64 of a text mixes both cases.
    const mixed = /[A-Z]/.test(token) && /[a-z]/.test(token);
    const hex = /^(?:[0-9a-f]+|[0-9A-F]+)$/.test(token);
    if (!mixed && !hex) continue;
    left -= token.length;
    if (left < 0) break;
    const readable = (hex ? packedAs(token, fromAnyHex) : undefined) ?? (mixed ? packedAs(token, fromAnyBase64) : undefined);
    if (readable !== undefined) found.push(readable);
  }
  return found;
}

/** Its beginning tells most that are only words. Eight characters are whole bytes of either encoding; a letter may be cut at their end. */
function packedAs(token: string, decode: (token: string) => Uint8Array | undefined): string | undefined {
  const beginning = token.length > 8 ? decode(token.slice(0, 8)) : undefined;
  return beginning?.some(isControl) === true ? undefined : readableOf(decode(token));
}

const fromAnyHex = (token: string): Uint8Array | undefined => (token.length % 2 === 0 ? fromHex(token.toLowerCase()) : undefined);

function fromAnyBase64(token: string): Uint8Array | undefined {
  const bare = token.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/');
  return bare.length % 4 === 1 ? undefined : fromBase64(bare + '='.repeat((4 - (bare.length % 4)) % 4));
}

/** Words and paths are base64 of something, too; only what reads as text was meant. */
function readableOf(bytes: Uint8Array | undefined): string | undefined {
  if (!bytes || bytes.length < 4 || bytes.some(isControl)) return undefined;
  const text = fromUtf8(bytes);
  return text !== undefined && /^[\p{L}\p{N}\p{P}\p{S}\p{Zs}\s]+$/u.test(text) && /[\p{L}\p{N}]{3}/u.test(text) ? text : undefined;
}

const isControl = (byte: number): boolean => byte === 0x7f || (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d);
