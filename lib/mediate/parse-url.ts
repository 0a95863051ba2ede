/** A URL as a browser reads it. `host` is lower-case ASCII (Punycode for others), without port and without trailing dots. */
export type UrlFact = { readonly href: string; readonly host: string };

/**
 * Undefined means opaque: no absolute URL with a host, or one that readers disagree about (backslashes, blanks or
 * control characters, which WHATWG URL drops silently). Userinfo stays visible in `href`; it is never the host.
 */
export function parseUrl(text: string): UrlFact | undefined {
  if (text.length > 8_192 || /[\s\\\p{Cc}\p{Cf}]/u.test(text)) return undefined;
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const host = url.hostname.toLowerCase().replace(/\.+$/, '');
  return host === '' ? undefined : { href: url.href, host };
}
