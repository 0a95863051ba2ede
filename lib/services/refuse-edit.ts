import { errorCodes } from '@/lib/shared/error-codes';
import { fail, type Result } from '@/lib/shared/result';

import { actorOf, type Caller } from './caller';
import type { PlaneParts } from './plane-parts';
import type { ReceiptBodyOf } from './sign-receipt';

const kinds: ReadonlyMap<string, ReceiptBodyOf<'edit_refused'>['what']> = new Map([
  ['policy', 'policy'], ['grants', 'grants'], ['roster', 'roster'], ['trust-root', 'trust_root'], ['settings', 'settings'],
]);

/** Refuses an attempt to edit what nobody edits directly; the receipt states the same policy digest before and after. */
export function editRefuser(parts: PlaneParts) {
  return async (caller: Caller, method: string, path: string): Promise<Result<never>> => {
    const before = (await parts.authority.current()).policy?.digest ?? null;
    const name = path.slice(path.lastIndexOf('/') + 1);
    const what = kinds.get(name) ?? 'other';
    const now = parts.clock.now();
    const after = (await parts.authority.refresh()).policy?.digest ?? null;
    const receipt = await parts.sign(
      'edit_refused',
      now,
      { what, code: 'refused_direct_edit', by: actorOf(caller), method, path, policy_sha256: { before, after } },
      caller.kind === 'agent' ? { agent: caller.subject } : {},
    );
    await parts.commits.submit({ epoch: null, session: null, action: null, receipts: [receipt], events: [] });
    return fail('refused_direct_edit', `${errorCodes.refused_direct_edit.title}. The policy's SHA-256 is ${before ?? 'none'} before and ${after ?? 'none'} after.`);
  };
}
