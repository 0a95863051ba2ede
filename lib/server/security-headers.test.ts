import { describe, expect, it } from 'vitest';

import { contentSecurityPolicy, securityHeaders } from './security-headers';

const production = { nonce: 'abc123', development: false, https: false };

describe('what a page may load', () => {
  it('no script without the nonce of its request, and none from text', () => {
    const policy = contentSecurityPolicy(production);
    const scripts = policy.split('; ').find((directive) => directive.startsWith('script-src '));
    expect(scripts).toBe(`script-src 'self' 'nonce-abc123' 'strict-dynamic'`);
  });

  it('nothing in frames, no base, no plug-ins, no forms to elsewhere', () => {
    const policy = contentSecurityPolicy(production);
    for (const directive of [`frame-ancestors 'none'`, `base-uri 'none'`, `object-src 'none'`, `form-action 'self'`]) expect(policy).toContain(directive);
  });

  it('asks for encryption only where the console has it', () => {
    expect(securityHeaders(production)).not.toHaveProperty('strict-transport-security');
    const encrypted = securityHeaders({ ...production, https: true });
    expect(encrypted).toHaveProperty('strict-transport-security');
    expect(encrypted['content-security-policy']).toContain('upgrade-insecure-requests');
  });
});
