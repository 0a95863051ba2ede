import { mostSavedViews, type SaveViewInput } from '@/lib/contracts/console/saved-views';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { PersonId, ViewId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';

type Parts = Pick<ConsoleParts, 'savedViews' | 'transactor' | 'ids'>;

/**
 * Keeps filters under a name of this person. Under the head's lock, so that of two windows at the bound one is refused.
 * No receipt: it changes what one person finds again, and nothing that anybody may do. Failures: `conflict`.
 */
export async function saveView(parts: Parts, person: PersonId, { name, filters }: SaveViewInput): Promise<Result<{ readonly view: ViewId }>> {
  return await parts.transactor.withHead(async (tx, { now }) => {
    const views = await parts.savedViews.list(person, tx);
    if (views.length >= mostSavedViews) return fail('conflict', `You keep ${mostSavedViews} views already.`, { fix: 'Delete one that you no longer use.' });
    if (views.some((view) => view.name === name)) return nameTaken(name);
    const id = parts.ids.make('view');
    await parts.savedViews.add(tx, person, { id, name, filters: canonicalJson(asJson(filters)), created_at: now });
    return ok({ view: id });
  });
}

export const nameTaken = (name: string) => fail('conflict', `You have a view named “${name}” already.`, { fix: 'Choose another name.' });
