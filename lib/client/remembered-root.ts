import { isDigest, type Digest } from '@/lib/shared/ids';

const slot = 'countersign.root';

/** The trust root's fingerprint that this browser was told by somebody, never by the page's own server; null: none yet. */
export function rememberedRoot(): Digest | null {
  try {
    const found = localStorage.getItem(slot);
    return found !== null && isDigest(found) ? found : null;
  } catch {
    return null;
  }
}

export function rememberRoot(fingerprint: Digest): void {
  localStorage.setItem(slot, fingerprint);
}

export function forgetRoot(): void {
  try {
    localStorage.removeItem(slot);
  } catch {
    // A browser that stores nothing for this page has nothing to forget.
  }
}
