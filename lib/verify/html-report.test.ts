import { beforeAll, describe, expect, it } from 'vitest';

import { bundleBytes } from '@/lib/ledger/bundle';
import { fromBase64, utf8 } from '@/lib/shared/encoding';
import { hostileLedger, hostileTexts as hostile } from '@/lib/testing/hostile-ledger';
import { nodeSha256 as sha256 } from '@/lib/testing/node-crypto';

import { bundleSlot, claimsSlot, htmlReport } from './html-report';
import { htmlText } from './html-text';

const verifier = `<!doctype html><body><div id="verifier"></div>${claimsSlot}${bundleSlot}<script>${bundleSlot} later</script></body>`;

let bytes: Uint8Array;
let page: string;

beforeAll(async () => {
  const ledger = await hostileLedger();
  bytes = bundleBytes(await ledger.bundle());
  const report = htmlReport({ verifier, bundle: bytes, sha256 });
  if (!report.ok) throw new Error(report.error.detail);
  page = report.value;
});

describe('a report', () => {
  it('carries the exact bytes of its bundle', () => {
    const [, embedded = ''] = /<script type="text\/plain" id="bundle">([A-Za-z0-9+/=]+)<\/script>/.exec(page) ?? [];
    expect(fromBase64(embedded)).toEqual(bytes);
  });

  it('fills the first slots only, so that the verifier’s own script stays as it is', () => {
    expect(page.endsWith(`<script>${bundleSlot} later</script></body>`)).toBe(true);
  });

  it('tells in words who did what and what became of it', () => {
    expect(page).toContain('>email.send<');
    expect(page).toContain('agent-1, for requester@corp.example');
    expect(page).toContain('Completed, succeeded');
  });

  it('holds no markup but its own, whatever an agent is called', () => {
    const claims = page.slice(page.indexOf('<main id="claims">'), page.indexOf('</main>'));
    const tags = new Set([...claims.matchAll(/<\/?([a-z0-9]+)/giu)].map(([, name]) => name));
    expect([...tags].sort()).toEqual(['bdo', 'caption', 'div', 'h1', 'main', 'p', 'span', 'table', 'tbody', 'td', 'th', 'thead', 'tr']);
    expect(claims).not.toMatch(/<[^>]*\son[a-z]+=/iu);
    expect(claims).not.toContain('<!--');
    expect(claims).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u2028\u2029\u202A-\u202E\u2066-\u2069]/u);
  });

  it('of what is no bundle is refused', () => {
    expect(htmlReport({ verifier, bundle: utf8('{}'), sha256 })).toMatchObject({ ok: false, error: { code: 'bundle_unreadable' } });
  });

  it('needs the verifier’s own file', () => {
    expect(() => htmlReport({ verifier: '<html></html>', bundle: bytes, sha256 })).toThrow('no place for a bundle');
  });
});

describe('text as HTML', () => {
  it.each(hostile)('%j cannot become markup, and shows what hides', (text) => {
    const inner = htmlText(text).replace(/^<bdo dir="ltr" class="untrusted">|<\/bdo>$/gu, '').replaceAll(/<span class="esc">[^<]*<\/span>/gu, '');
    expect(inner).not.toMatch(/[<>"']/u);
    expect(inner).not.toMatch(/[\u0000-\u001F\u2028\u202A-\u202E]/u);
  });

  it('leaves plain text as it is', () => {
    expect(htmlText('a & b')).toBe('<bdo dir="ltr" class="untrusted">a &amp; b</bdo>');
  });
});
