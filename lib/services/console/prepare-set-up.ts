import type { DocumentToSign, PrepareSetUpInput, SetUpDocuments } from '@/lib/contracts/console/set-up';
import { keyIdsHold } from '@/lib/authority/key-ids';
import { fromUtf8 } from '@/lib/shared/encoding';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';
import { policyGroups } from './policy-groups';
import { setUpDocuments, type SignedPart } from './set-up-documents';
import { checkSetUpLink } from './set-up-link';

/**
 * The documents that make this person the first owner, for their browser to sign. Nothing is stored: `completeSetUp`
 * computes them again from what was signed. Failures: `set_up_done`, `set_up_link_invalid`, `invalid_input`, `policy_invalid`, `unavailable`.
 */
export async function prepareSetUp(parts: ConsoleParts, input: PrepareSetUpInput): Promise<Result<SetUpDocuments>> {
  const { sha256 } = parts.cryptography;
  const now = await parts.reads.now();
  const link = await checkSetUpLink({ ...parts, sha256 }, input.link, now);
  if (!link.ok) return link;
  const { owner_key: owner, recovery_key: recovery } = input;
  if (!keyIdsHold([owner, recovery], sha256) || owner.id === recovery.id) {
    return fail('invalid_input', 'Owner key and recovery key must be two keys, each under its own id.');
  }
  const starter = parts.starterPolicy(input.mode);
  const compiled = parts.compile(starter.text, starter.format);
  if (!compiled.ok) return compiled;
  const services = await parts.serviceKeys();
  if (!services.ok) return services;
  const documents = setUpDocuments(
    {
      workspace: parts.workspace,
      person: parts.ids.make('person'),
      name: input.name,
      email: input.email,
      groups: policyGroups(compiled.value),
      owner,
      recovery,
      services: services.value,
      policyText: starter.text,
      at: now,
    },
    sha256,
  );
  return ok({
    trust_root: toSign(documents.root),
    roster: toSign(documents.roster),
    policy: toSign(documents.policy),
    policy_revision: toSign(documents.revision),
    fingerprint: documents.fingerprint,
  });
}

/** The bytes are UTF-8 by construction; the browser gets them as the text that encodes to exactly them. */
export const toSign = ({ payload_type, bytes }: SignedPart): DocumentToSign => ({ payload_type, text: fromUtf8(bytes) ?? '' });
