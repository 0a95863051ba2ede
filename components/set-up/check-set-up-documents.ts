import { keyKindsFor } from '@/lib/authority/key-kinds';
import { parseRoster } from '@/lib/authority/parse-roster';
import { parseTrustRoot } from '@/lib/authority/parse-trust-root';
import { sha256 } from '@/lib/client/hash';
import type { SetUpDocuments } from '@/lib/contracts/console/set-up';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import type { PublicKeyEntry } from '@/lib/shared/keys';

/**
 * What is wrong with the documents, or null. The server wrote them; the browser looks before it signs that they make
 * this key the only owner, this recovery key the recovery key, and nobody else anything.
 */
export function checkSetUpDocuments(documents: SetUpDocuments, owner: PublicKeyEntry, recovery: PublicKeyEntry): string | null {
  const bytes = utf8(documents.trust_root.text);
  const root = parseTrustRoot(bytes);
  const roster = parseRoster(utf8(documents.roster.text));
  if (!root.ok || !roster.ok) return 'The trust root or the roster cannot be read.';
  if (digestOf(sha256, bytes) !== documents.fingerprint) return 'The fingerprint is not that of the trust root.';
  const [first, ...others] = root.value.owners;
  if (others.length > 0 || first?.key.id !== owner.id || first.key.public_key !== owner.public_key) return 'The trust root names another owner than this browser’s key.';
  if (canonicalJson(asJson(root.value.key_kinds)) !== canonicalJson(asJson(keyKindsFor(owner.kind)))) return 'The trust root lets other kinds of key sign than you chose.';
  if (root.value.recovery.key.id !== recovery.id) return 'The trust root names another recovery key.';
  const [person, ...more] = roster.value.people;
  if (more.length > 0 || person?.id !== first.person || roster.value.credentials.length > 0) return 'The roster lists somebody or something else beside you.';
  return null;
}
