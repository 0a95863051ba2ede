/**
 * A URL as the one that fetches it reads it. `host` is lower-case ASCII (Punycode for others), without port and without trailing dots; an
 * IPv4 address is dotted, however it was written. `href` names the same host, and no letter in it is encoded that need not be.
 */
export type UrlFact = { readonly href: string; readonly host: string };

/** Schemes that the URL standard normalises; for the others the host stays as it was written. */
const special = new Set(['http:', 'https:', 'ws:', 'wss:', 'ftp:']);

/**
 * Undefined means opaque: no absolute URL with a host, or one that readers disagree about (backslashes, blanks or
 * control characters, which WHATWG URL drops silently; empty labels; a host that a program would take for an option).
 * Userinfo stays visible in `href`; it is never the host.
 */
export function parseUrl(text: string): UrlFact | undefined {
  if (text.length > 8_192 || /[\s\\\p{Cc}\p{Cf}]/u.test(text)) return undefined;
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const host = hostOf(url);
  if (host === undefined || host === '' || host.startsWith('-') || host.includes('..')) return undefined;
  if (special.has(url.protocol)) url.hostname = host;
  return { href: withoutNeedlessEscapes(url.href), host };
}

function hostOf(url: URL): string | undefined {
  const written = url.hostname.replace(/\.+$/, '').toLowerCase();
  if (special.has(url.protocol)) return asIpv4(written);
  const normal = `http://${written}/`;
  return URL.canParse(normal) ? asIpv4(new URL(normal).hostname.replace(/\.+$/, '')) : undefined;
}

/** `[::ffff:7f00:1]` is 127.0.0.1. */
function asIpv4(host: string): string {
  const [, high, low] = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(host) ?? [];
  if (high === undefined || low === undefined) return host;
  return [high, low].flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255]).join('.');
}

/** `/%61dmin` is `/admin` (RFC 3986, section 6.2.2.2). */
function withoutNeedlessEscapes(href: string): string {
  return href.replace(/%([0-9a-f]{2})/gi, (escape, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : escape.toUpperCase();
  });
}
