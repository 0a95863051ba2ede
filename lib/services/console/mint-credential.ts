import type { MintCredentialInput, MintedCredential } from '@/lib/contracts/console/roster';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import { ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';

const prefixes = { orchestrator: 'cso', enforcement_point: 'csp', information_point: 'csi' } as const;

/** A token and the change of the roster that would make it count. Until an owner signs that, the token opens nothing. */
export async function mintCredential(parts: ConsoleParts, input: MintCredentialInput): Promise<Result<MintedCredential>> {
  const token = parts.ids.token(prefixes[input.credential_kind]);
  const now = Date.parse(await parts.reads.now());
  return ok({
    token,
    change: {
      kind: 'add_credential',
      credential: parts.ids.make('credential'),
      credential_kind: input.credential_kind,
      subject: input.subject,
      token_digest: digestOf(parts.cryptography.sha256, utf8(token)),
      scope: input.scope,
      expires_at: new Date(now + input.expires_in_days * 86_400_000).toISOString(),
    },
  });
}
