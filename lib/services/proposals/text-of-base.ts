import type { PolicyRow } from '@/lib/ports/authority-store';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';

import { proposalBounds } from './proposal-bounds';
import type { ProposalParts } from './proposal-parts';

export type TextOfBase = Pick<PolicyRow, 'text' | 'format'>;

/** Ended proposals that are looked through for a base. */
const mostEnded = 200;

/**
 * The text that a proposal was written on: of a revision, or of a proposal that was to be applied before it. Found by its digest, which is
 * computed here; undefined where no row has it any more.
 */
export async function textOfBase(parts: Pick<ProposalParts, 'authority' | 'proposals' | 'cryptography'>, digest: Digest): Promise<TextOfBase | undefined> {
  const isIt = ({ text }: TextOfBase): boolean => digestOf(parts.cryptography.sha256, utf8(text)) === digest;
  const revision = (await parts.authority.policiesOf(digest)).find(isIt);
  if (revision) return revision;
  const others = [...(await parts.proposals.list('live', 2 * proposalBounds.live)), ...(await parts.proposals.list('ended', mostEnded))];
  for (const { id } of others.filter((row) => row.digest === digest)) {
    const row = await parts.proposals.find(id);
    if (row && isIt(row)) return row;
  }
  return undefined;
}
