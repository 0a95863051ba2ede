import { statementPayload, statementTypes, type GrantStatement } from '@/lib/authority/owner-statements';
import { neededGrantSigners } from '@/lib/authority/verify-grant';
import type { PreparedGrant, PrepareGrantInput, PrepareGrantProposalInput } from '@/lib/contracts/console/grants';
import { ok, type Result } from '@/lib/shared/result';
import { isTimestamp } from '@/lib/shared/timestamp';

import type { ConsoleParts } from '../console/console-parts';
import { toSign } from '../console/prepare-set-up';
import { authorityToBuildOn } from '../console/roster-change-facts';
import { checkGrantTerms } from './grant-terms';

/** The document that gives a grant once owners have signed it. Nothing is stored. Failures: `grant_invalid`, and those of the authority in force. */
export async function prepareGrant(parts: ConsoleParts, { replaces, reason, ...input }: PrepareGrantProposalInput & Partial<Pick<PrepareGrantInput, 'reason' | 'replaces'>>): Promise<Result<PreparedGrant>> {
  const authority = await authorityToBuildOn(parts);
  if (!authority.ok) return authority;
  const inForce = await parts.inForce.current();
  const [now, { expires_at }] = [await parts.reads.now(), input];
  if (!isTimestamp(now) || !isTimestamp(expires_at)) throw new Error('A time of ours is not written as a time.');
  const tool = inForce.policy?.compiled.catalogue.aliases.get(input.tool) ?? input.tool;
  const terms: GrantStatement = { ...input, tool, expires_at, ...(reason === undefined ? {} : { reason }), ...(replaces === undefined ? {} : { replaces }), grant: parts.ids.make('grant') };
  const checked = checkGrantTerms(terms, inForce, now);
  if (!checked.ok) return checked;
  const bytes = statementPayload('grant', parts.workspace, terms, now);
  return ok({ grant: terms.grant, document: toSign({ payload_type: statementTypes.grant, bytes }), needed_signers: neededGrantSigners(authority.value.root) });
}
