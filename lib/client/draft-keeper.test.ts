import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { ActionResult } from '@/lib/contracts/console/action-result';
import type { SavedDraft, SaveDraftInput } from '@/lib/contracts/console/policy-drafts';

import { DraftKeeper } from './draft-keeper';

const content = (text: string) => ({ text, format: 'yaml' as const, tests: '', base: null });
const saved = (version: number): ActionResult<SavedDraft> => ({ ok: true, value: { version, saved_at: '2030-06-03T12:00:00.000Z' } });
const refused = (code: 'conflict' | 'unavailable'): ActionResult<SavedDraft> => ({ ok: false, error: { code, title: 'x', detail: 'x', issues: [] } });

/** A server that answers when told to. */
function server() {
  const asked: { readonly input: SaveDraftInput; readonly answer: (result: ActionResult<SavedDraft>) => Promise<void> }[] = [];
  const save = (input: SaveDraftInput) =>
    new Promise<ActionResult<SavedDraft>>((resolve) => {
      asked.push({ input, answer: async (result) => { resolve(result); await vi.advanceTimersByTimeAsync(0); } });
    });
  return { asked, save };
}

beforeEach(() => { vi.useFakeTimers(); });
afterEach(() => { vi.useRealTimers(); });

describe('a draft', () => {
  it('is saved once the typing pauses, on top of the version that was loaded', async () => {
    const { asked, save } = server();
    const keeper = new DraftKeeper(save, { version: 4, saved_at: '2030-06-03T11:00:00.000Z' });
    for (const text of ['a', 'ab', 'abc']) keeper.change(content(text));
    expect(keeper.state()).toEqual({ kind: 'unsaved' });
    await vi.advanceTimersByTimeAsync(2000);
    expect(asked.map(({ input }) => [input.version, input.text])).toEqual([[4, 'abc']]);
    await asked[0]?.answer(saved(5));
    expect(keeper.state()).toEqual({ kind: 'saved', at: '2030-06-03T12:00:00.000Z' });
  });

  it('is saved one save at a time, and what was typed meanwhile goes up next', async () => {
    const { asked, save } = server();
    const keeper = new DraftKeeper(save, null);
    keeper.change(content('a'));
    await vi.advanceTimersByTimeAsync(2000);
    keeper.change(content('ab'));
    await vi.advanceTimersByTimeAsync(5000);
    expect(asked).toHaveLength(1);
    await asked[0]?.answer(saved(1));
    await vi.advanceTimersByTimeAsync(2000);
    expect(asked.map(({ input }) => [input.version, input.text])).toEqual([[0, 'a'], [1, 'ab']]);
  });

  it('that another window saved is not saved over until the person says so', async () => {
    const { asked, save } = server();
    const keeper = new DraftKeeper(save, { version: 1, saved_at: '2030-06-03T11:00:00.000Z' });
    keeper.change(content('mine'));
    await vi.advanceTimersByTimeAsync(2000);
    await asked[0]?.answer(refused('conflict'));
    expect(keeper.state()).toMatchObject({ kind: 'conflict' });
    keeper.change(content('mine, more'));
    await vi.advanceTimersByTimeAsync(5000);
    expect(asked).toHaveLength(1);
    void keeper.overwrite(7, content('mine, more'));
    await vi.advanceTimersByTimeAsync(0);
    expect(asked[1]?.input).toMatchObject({ version: 7, text: 'mine, more' });
  });

  it('that could not be saved says so, keeps the text, and is tried again', async () => {
    const { asked, save } = server();
    const keeper = new DraftKeeper(save, null);
    keeper.change(content('kept'));
    await vi.advanceTimersByTimeAsync(2000);
    await asked[0]?.answer(refused('unavailable'));
    expect(keeper.state()).toMatchObject({ kind: 'failed' });
    const again = keeper.flush();
    await vi.advanceTimersByTimeAsync(0);
    await asked[1]?.answer(saved(1));
    expect(await again).toBe(true);
    expect(asked[1]?.input.text).toBe('kept');
  });

  it('is whole on the server once flushed, also while a save is under way', async () => {
    const { asked, save } = server();
    const keeper = new DraftKeeper(save, null);
    keeper.change(content('a'));
    await vi.advanceTimersByTimeAsync(2000);
    keeper.change(content('ab'));
    const flushed = keeper.flush();
    await asked[0]?.answer(saved(1));
    await asked[1]?.answer(saved(2));
    expect(await flushed).toBe(true);
    expect(asked.map(({ input }) => input.text)).toEqual(['a', 'ab']);
  });
});
