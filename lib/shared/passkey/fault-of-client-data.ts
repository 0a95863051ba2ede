import { isJsonObject } from '@/lib/shared/json';
import { parseStrictJson } from '@/lib/shared/strict-json';
import { toBase64 } from '@/lib/shared/encoding';

/**
 * What a browser says it was asked, and by which page; undefined when that is this challenge, asked by the site itself. Keys that are
 * not known here are allowed, as the standard demands; a key named twice is not. Source: Web Authentication Level 3, section 5.8.1.
 */
export function faultOfClientData(clientDataJson: Uint8Array, challenge: Uint8Array, rpId: string): string | undefined {
  const read = parseStrictJson(clientDataJson);
  if (!read.ok || !isJsonObject(read.value)) return 'The client data is not JSON that means one thing.';
  const { type, challenge: asked, origin, crossOrigin, topOrigin } = read.value;
  if (type !== 'webauthn.get') return 'The client data is of another type than an assertion.';
  if (asked !== base64Url(challenge)) return 'The passkey signed another document.';
  if (typeof origin !== 'string' || !isOriginOf(origin, rpId)) return 'The passkey signed for a page of another site.';
  if ((crossOrigin !== undefined && crossOrigin !== false) || topOrigin !== undefined) return 'The passkey signed for a page inside a page of another site.';
  return undefined;
}

/**
 * The site's own host, at any port, over TLS. A host below it is another site here, though browsers would let it use the key; and
 * only this machine's own pages (localhost) do without TLS.
 */
function isOriginOf(origin: string, rpId: string): boolean {
  const [scheme, rest, more] = origin.split('://');
  if (rest === undefined || more !== undefined) return false;
  if (scheme !== 'https' && !(scheme === 'http' && rpId === 'localhost')) return false;
  return rest === rpId || (rest.startsWith(`${rpId}:`) && /^[1-9][0-9]{0,4}$/.test(rest.slice(rpId.length + 1)));
}

export const base64Url = (bytes: Uint8Array): string => toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
