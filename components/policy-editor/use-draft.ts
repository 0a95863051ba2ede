'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';

import { discardDraft, saveDraft } from '@/app/actions/policy-drafts';
import { DraftKeeper, type DraftContent } from '@/lib/client/draft-keeper';
import { shownFault } from '@/lib/client/parse-answer';
import { policyEditorQuery } from '@/lib/client/queries';
import type { ShownFault } from '@/lib/contracts/console/action-result';
import type { PolicyEditorView } from '@/lib/contracts/console/policy-drafts';

/** What a person writes when there is no draft yet: the text in force. */
export const beginning = ({ draft, in_force }: PolicyEditorView): DraftContent =>
  draft
    ? { text: draft.text, format: draft.format, tests: draft.tests, base: referenceOf(draft.base) }
    : { text: in_force?.text ?? '', format: in_force?.format ?? 'yaml', tests: '', base: referenceOf(in_force) };

/** A person's draft and where the server is with it. */
export function useDraft(view: PolicyEditorView) {
  const client = useQueryClient();
  const [content, setContent] = useState(() => beginning(view));
  const [keeper] = useState(() => new DraftKeeper(saveDraft, view.draft));
  const [fault, setFault] = useState<ShownFault | null>(null);
  const state = useSyncExternalStore(keeper.subscribe, keeper.state, keeper.state);

  // Outside system: the browser, which asks before it throws away what the server does not have yet.
  const unsaved = state.kind === 'unsaved' || state.kind === 'saving' || state.kind === 'failed' || state.kind === 'conflict';
  useEffect(() => {
    if (!unsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [unsaved]);
  // Leaving for another page of the console saves what is still waiting.
  useEffect(() => () => void keeper.flush(), [keeper]);

  function change(part: Partial<DraftContent>): void {
    const next = { ...content, ...part };
    if (next.text === content.text && next.format === content.format && next.tests === content.tests && next.base?.digest === content.base?.digest) return;
    setContent(next);
    keeper.change(next);
  }

  /** What the server has now, in place of what is on this page. */
  async function reload(): Promise<PolicyEditorView | null> {
    try {
      const fresh = await client.fetchQuery({ ...policyEditorQuery(), staleTime: 0 });
      keeper.restart(fresh.draft);
      setContent(beginning(fresh));
      setFault(null);
      return fresh;
    } catch (cause) {
      setFault(shownFault(cause));
      return null;
    }
  }

  async function overwrite(): Promise<void> {
    try {
      const fresh = await client.fetchQuery({ ...policyEditorQuery(), staleTime: 0 });
      await keeper.overwrite(fresh.draft?.version ?? 0, content);
      setFault(null);
    } catch (cause) {
      setFault(shownFault(cause));
    }
  }

  /** Throws the draft away. The view that is left, or null when that did not work. */
  async function discard(): Promise<PolicyEditorView | null> {
    keeper.stop();
    if (keeper.savedVersion > 0) {
      const result = await discardDraft({ version: keeper.savedVersion }).catch(() => null);
      if (result === null || !result.ok) {
        setFault(result === null ? shownFault(null) : result.error);
        return null;
      }
    }
    return await reload();
  }

  return { content, state, fault, change, reload, overwrite, discard, flush: () => keeper.flush() };
}

export type Draft = ReturnType<typeof useDraft>;

const referenceOf = (of: DraftContent['base']): DraftContent['base'] => of && { revision: of.revision, digest: of.digest };
