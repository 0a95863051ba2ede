import type { ProposedRow } from '@/lib/ports/proposal-store';
import { fail, ok, type Result } from '@/lib/shared/result';

import { allowlistTarget } from '../guard-directories/allowlist-target';
import { grantTarget } from '../grants/grant-target';
import { policyTarget } from './policy-target';
import type { ProposalTarget } from './proposal-target';

const targets: ReadonlyMap<ProposedRow['target'], ProposalTarget> = new Map([['policy', policyTarget], ['grant', grantTarget], ['allowlist', allowlistTarget]]);

/** What can be proposed here. `invalid_input`: this version takes no proposals for it. */
export function proposalTarget(target: ProposedRow['target']): Result<ProposalTarget> {
  const found = targets.get(target);
  return found ? ok(found) : fail('invalid_input', `Nothing here takes proposals for a ${target}.`);
}
