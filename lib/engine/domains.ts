/** The domain of an address, of a URL's host, or of a bare host; lower case, without a trailing dot. */
export function domainOf(value: string): string {
  const text = value.trim().toLowerCase();
  const at = text.lastIndexOf('@');
  if (at >= 0 && !text.includes('://')) return trimDot(text.slice(at + 1));
  const host = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)/.exec(text)?.[1];
  return trimDot(host ?? text);
}

/** True for the domain itself and everything under it: `mail.corp.example` is in `corp.example`, `badcorp.example` is not. */
export function isInDomains(domain: string, domains: readonly string[]): boolean {
  return domains.some((parent) => domain === parent || domain.endsWith(`.${parent}`));
}

const trimDot = (domain: string): string => (domain.endsWith('.') ? domain.slice(0, -1) : domain);
