import type { KeyKind } from '@/lib/shared/keys';

import type { KeyKindRules, KeyPurpose, TrustRoot } from './trust-root';

const withoutBrowser: readonly KeyKind[] = ['passkey', 'file-ed25519'];
const every: readonly KeyKind[] = ['browser-ed25519', 'passkey', 'file-ed25519'];

/**
 * A browser-held key does not resist an agent that drives the approver's browser, so by default it signs for low and
 * medium impact only.
 */
export const defaultKeyKinds: KeyKindRules = {
  low: every,
  medium: every,
  high: withoutBrowser,
  critical: withoutBrowser,
  policy: withoutBrowser,
  root: withoutBrowser,
};

/** For the demo, and for set-up while a person has no stronger key. A root with these shows a permanent banner. */
export const browserKeyKinds: KeyKindRules = { low: every, medium: every, high: every, critical: every, policy: every, root: every };

/** What a first root lets sign, by the kind of key that its owner begins with: the strict table wherever the owner can live with it. */
export const keyKindsFor = (owner: KeyKind): KeyKindRules => (owner === 'browser-ed25519' ? browserKeyKinds : defaultKeyKinds);

export const allowedKeyKinds = (root: TrustRoot, purpose: KeyPurpose): readonly KeyKind[] => root.key_kinds[purpose];

const banner: readonly KeyPurpose[] = ['high', 'critical', 'policy', 'root'];

/** True when a browser-held key may sign anything above medium impact: the console then shows its banner. */
export const permitsBrowserKeysForHighImpact = (root: TrustRoot): boolean =>
  banner.some((purpose) => root.key_kinds[purpose].includes('browser-ed25519'));
