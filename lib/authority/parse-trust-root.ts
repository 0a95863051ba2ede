import { z } from 'zod';

import { countField, digestField, idField, publicKeyField, timestampField } from '@/lib/shared/document-fields';
import { keyKinds } from '@/lib/shared/keys';
import { parseDocument } from '@/lib/shared/parse-document';
import type { Result } from '@/lib/shared/result';

import { serviceRoles, trustRootSchema, type TrustRoot } from './trust-root';

/** Largest trust root that is read, in bytes. */
export const maxTrustRootBytes = 64 * 1024;

/** Strict canonical JSON of a trust root that could be lived with: thresholds that can be met, no key in two places. */
export const parseTrustRoot = (bytes: Uint8Array): Result<TrustRoot> => parseDocument(document, bytes, maxTrustRootBytes);

const kinds = z.array(z.enum(keyKinds)).max(keyKinds.length);

/** Services and recovery sign with a key that a program or a printed code holds: nobody is there to touch a passkey. */
const rawKeyField = publicKeyField.refine(({ kind }) => kind !== 'passkey', { error: 'A passkey is a person’s key.' });

const service = z
  .strictObject({ key: rawKeyField, role: z.enum(serviceRoles), from: countField(0), to: countField(0).optional() })
  .transform(({ to, ...rest }) => (to === undefined ? rest : { ...rest, to }))
  .refine((entry) => !('to' in entry) || entry.to >= entry.from, { error: 'A service key ends before it begins.' });

const document: z.ZodType<TrustRoot> = z
  .strictObject({
    schema: z.literal(trustRootSchema),
    workspace: idField('workspace'),
    version: countField(1),
    previous: digestField.nullable(),
    owners: z.array(z.strictObject({ person: idField('person'), key: publicKeyField })).min(1).max(50),
    thresholds: z.strictObject({ policy: countField(1), loosening: countField(1), root: countField(1), recovery: z.literal(1) }),
    key_kinds: z.strictObject({ low: kinds, medium: kinds, high: kinds, critical: kinds, policy: kinds, root: kinds }),
    services: z.array(service).max(200),
    recovery: z.strictObject({ key: rawKeyField }),
    cool_off_seconds: countField(0).refine((seconds) => seconds <= 30 * 86_400, { error: 'A cool-off is at most 30 days.' }),
    created_at: timestampField,
  })
  .superRefine((root, context) => {
    for (const message of contradictions(root)) context.addIssue({ code: 'custom', message });
  });

function contradictions(root: TrustRoot): string[] {
  const found: string[] = [];
  if ((root.version === 1) !== (root.previous === null)) found.push('Exactly the first version has no previous one.');
  const keys = [...root.owners.map((owner) => owner.key.id), ...root.services.map((entry) => entry.key.id), root.recovery.key.id];
  if (new Set(keys).size !== keys.length) found.push('A key appears twice: owners, services and recovery each need their own.');
  // A threshold that its owners cannot reach would lock everybody out until the recovery key is used.
  const needed = { policy: Math.max(root.thresholds.policy, root.thresholds.loosening), root: root.thresholds.root } as const;
  for (const purpose of ['policy', 'root'] as const) {
    const able = new Set(root.owners.filter(({ key }) => root.key_kinds[purpose].includes(key.kind)).map((owner) => owner.person));
    if (able.size < needed[purpose]) found.push(`Only ${able.size} owners have a key that may sign "${purpose}"; ${needed[purpose]} are needed.`);
  }
  return found;
}
