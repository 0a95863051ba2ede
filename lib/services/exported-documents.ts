import type { BundlePolicy } from '@/lib/ledger/bundle';
import type { ReceiptBody } from '@/lib/ledger/receipt-predicate';
import type { AuthorityStore } from '@/lib/ports/authority-store';
import { parseEnvelope, type Envelope } from '@/lib/shared/dsse';
import { fail, ok, type Result } from '@/lib/shared/result';

export type ExportedDocuments = { readonly trust_roots: readonly Envelope[]; readonly rosters: readonly Envelope[]; readonly policies: readonly BundlePolicy[] };

/** The documents whose coming into force is among the receipts; what the checkpoint does not cover yet stays out. */
export async function exportedDocuments(authority: AuthorityStore, bodies: readonly ReceiptBody[]): Promise<Result<ExportedDocuments>> {
  const rootVersions = new Set(bodies.flatMap(({ kind, predicate }) => (kind === 'trust_root_changed' ? [predicate.version] : [])));
  const rosterVersions = new Set(bodies.flatMap(({ kind, predicate }) => (kind === 'roster_changed' ? [predicate.version] : [])));
  const revisions = new Set(bodies.flatMap(({ kind, predicate }) => (kind === 'policy_applied' ? [predicate.revision] : [])));
  const roots = (await authority.trustRoots()).filter(({ version }) => rootVersions.has(version)).sort((a, b) => a.version - b.version);
  const rosters = (await authority.rosters()).filter(({ version }) => rosterVersions.has(version)).sort((a, b) => a.version - b.version);
  const policies = (await authority.policies(Number.MAX_SAFE_INTEGER)).filter(({ revision }) => revisions.has(revision)).sort((a, b) => a.revision - b.revision);
  const read: Envelope[] = [];
  for (const text of [...roots.map(({ envelope }) => envelope), ...rosters.map(({ envelope }) => envelope), ...policies.flatMap(({ signature, statement }) => [signature, statement])]) {
    const envelope = parseEnvelope(text);
    if (!envelope.ok) return fail('ledger_broken', 'A stored trust root, roster or policy cannot be read.', { cause: envelope.error });
    read.push(envelope.value);
  }
  const pairs = read.slice(roots.length + rosters.length);
  return ok({
    trust_roots: read.slice(0, roots.length),
    rosters: read.slice(roots.length, roots.length + rosters.length),
    policies: policies.flatMap((_row, at) => {
      const [signature, apply] = pairs.slice(2 * at);
      return signature && apply ? [{ signature, apply }] : [];
    }),
  });
}
