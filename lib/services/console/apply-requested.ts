import type { AppliedPolicy } from '@/lib/contracts/console/policies';
import type { SigningRequestRow } from '@/lib/ports/signing-request-store';
import { applySignedRevision } from '@/lib/services/proposals/apply-signed-revision';
import type { PersonId } from '@/lib/shared/ids';
import { fail, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';
import { rollBack } from './roll-back';

type Signed = { readonly signature: string; readonly statement: string };

/** Brings into force what a command asked for, once enough owners have signed. Failures: those of `applySignedRevision` and `rollBack`. */
export async function applyRequested(parts: ConsoleParts, person: PersonId, row: SigningRequestRow, signed: Signed): Promise<Result<AppliedPolicy>> {
  const by = { kind: 'person', id: person } as const;
  const revision = { text: row.text, format: row.format, ...signed };
  switch (row.purpose) {
    case 'sign':
      return fail('invalid_input', 'The text was to be signed, not applied.');
    case 'apply':
      return await applySignedRevision(parts, by, { ...revision, origin: 'file' });
    case 'rollback':
      return row.restores === null ? fail('invalid_input', 'The roll-back names no revision.') : await rollBack(parts, by, { ...revision, restores: row.restores, reason: row.reason });
  }
}
