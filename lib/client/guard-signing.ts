import { statementTypes } from '@/lib/authority/owner-statements';
import type { GuardCard, PreparedGuardSigning } from '@/lib/contracts/console/guard-directories';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';
import { parseStrictJson } from '@/lib/shared/strict-json';

import { sha256 } from './hash';

/** What gets signed must be what is on screen: this file, on this allowlist, in this directory, and nothing beside. Null: it is. */
export function faultOfGuardSigning({ statement, application }: PreparedGuardSigning, card: GuardCard): string | null {
  if (digestOf(sha256, utf8(card.text)) !== card.digest) return 'The file that is shown is not the one that its digest names.';
  const file = objectOf(card.text);
  if (file?.['add_permission'] !== card.permission) return 'The file asks for another permission than is shown.';
  const applied = application.payload_type === statementTypes.guard_application ? objectOf(application.text) : undefined;
  const base = applied && isJsonObject(applied['base']) ? applied['base'] : undefined;
  if (!applied || applied['proposal'] !== card.id || applied['directory'] !== card.directory || applied['guard_proposal'] !== card.digest || applied['permission'] !== card.permission) {
    return 'The change to sign is another one than is shown.';
  }
  if (base?.['revision'] !== card.base.revision || base['digest'] !== card.base.digest) return 'The change to sign is for another allowlist than is shown.';
  const steps: Json | undefined = statement.payload_type === statementTypes.proposal_signature ? objectOf(statement.text)?.['steps'] : undefined;
  const [step, ...more] = isJsonArray(steps) ? steps : [];
  if (!isJsonObject(step) || more.length > 0 || step['proposal'] !== card.id || step['digest'] !== card.digest || step['base_digest'] !== card.base.digest) {
    return 'The statement to sign speaks of another proposal.';
  }
  return step['proof_digest'] === applied['proof_digest'] ? null : 'The two documents to sign name different proofs.';
}

function objectOf(text: string): JsonObject | undefined {
  const read = parseStrictJson(text);
  return read.ok && isJsonObject(read.value) ? read.value : undefined;
}
