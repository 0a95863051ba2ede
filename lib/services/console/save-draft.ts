import type { SavedDraft, SaveDraftInput } from '@/lib/contracts/console/policy-drafts';
import type { PersonId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';

type Parts = Pick<ConsoleParts, 'policyDrafts'>;

/**
 * Keeps what a person is writing. No receipt: a draft changes nothing that anybody may do, and leaves this table only as a proposal,
 * which has its own. Failures: `conflict`, when another window saved in between.
 */
export async function saveDraft(parts: Parts, person: PersonId, { version, ...draft }: SaveDraftInput): Promise<Result<SavedDraft>> {
  const saved = await parts.policyDrafts.save(person, version, draft);
  return saved ? ok(saved) : moved();
}

/** Throws a draft away. Failures: `conflict`. */
export async function discardDraft(parts: Parts, person: PersonId, version: number): Promise<Result<null>> {
  return (await parts.policyDrafts.remove(person, version)) ? ok(null) : moved();
}

const moved = () => fail('conflict', 'Your draft was saved or thrown away in another window.', { fix: 'Look at that one, or save this one over it.' });
