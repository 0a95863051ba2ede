import type { RenameViewInput } from '@/lib/contracts/console/saved-views';
import type { PersonId, ViewId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';
import { nameTaken } from './save-view';

type Parts = Pick<ConsoleParts, 'savedViews' | 'transactor'>;
type Changed = Result<{ readonly view: ViewId }>;

/** Another name for a view of this person. Failures: `not_found`, `conflict`. */
export async function renameView(parts: Parts, person: PersonId, { view, name }: RenameViewInput): Promise<Changed> {
  return await parts.transactor.withHead(async (tx) => {
    const views = await parts.savedViews.list(person, tx);
    if (views.some((other) => other.name === name && other.id !== view)) return nameTaken(name);
    return (await parts.savedViews.rename(tx, person, view, name)) ? ok({ view }) : gone();
  });
}

/** Failures: `not_found`. */
export async function deleteView(parts: Parts, person: PersonId, view: ViewId): Promise<Changed> {
  return await parts.transactor.withHead(async (tx) => ((await parts.savedViews.remove(tx, person, view)) ? ok({ view }) : gone()));
}

const gone = () => fail('not_found', 'You have no such view.', { fix: 'It may have been deleted in another window.' });
