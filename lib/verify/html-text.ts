import { escapeUntrusted } from '@/lib/approvals/escape-untrusted';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/**
 * Text as HTML content. Characters that hide, reorder or imitate stand as boxed code points, as everywhere
 * else in Countersign, and the text is set apart so that its direction cannot leave it.
 */
export const htmlText = (text: string): string =>
  `<bdo dir="ltr" class="untrusted">${escapeUntrusted(text).map((segment) => (segment.kind === 'text' ? entity(segment.text) : `<span class="esc">${entity(segment.label)}</span>`)).join('')}</bdo>`;

const entity = (text: string): string => text.replaceAll(/[&<>"']/gu, (sign) => entities[sign] ?? '');
