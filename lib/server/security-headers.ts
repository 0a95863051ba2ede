export type HeaderSettings = { readonly nonce: string; readonly development: boolean; readonly https: boolean };

/**
 * The policy for what a page may load and run: only this origin, and only scripts that carry the request's nonce or are
 * loaded by one that does. Source: W3C Content Security Policy Level 3.
 */
export function contentSecurityPolicy({ nonce, development, https }: HeaderSettings): string {
  const directives = [
    `default-src 'self'`,
    // React's development build evaluates text to show where on the server an error came from.
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ''}`,
    development ? `style-src 'self' 'unsafe-inline'` : `style-src 'self' 'nonce-${nonce}'`,
    // Positions and sizes of popovers and lists are style attributes; an attribute selects nothing and loads nothing.
    `style-src-attr 'unsafe-inline'`,
    `img-src 'self' data: blob:`,
    `font-src 'self'`,
    `connect-src 'self'${development ? ' ws: wss:' : ''}`,
    `worker-src 'self' blob:`,
    `manifest-src 'self'`,
    `object-src 'none'`,
    `frame-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
    ...(https ? ['upgrade-insecure-requests'] : []),
  ];
  return directives.join('; ');
}

/** Headers of every answer, beside the policy. */
export const securityHeaders = (settings: HeaderSettings): Readonly<Record<string, string>> => ({
  'content-security-policy': contentSecurityPolicy(settings),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // `same-origin`, not `no-referrer`: that one would send form posts with the origin "null", which server actions refuse.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), publickey-credentials-get=(self), publickey-credentials-create=(self)',
  ...(settings.https ? { 'strict-transport-security': 'max-age=31536000' } : {}),
});
