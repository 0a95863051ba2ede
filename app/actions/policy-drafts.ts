'use server';

import { discardDraftInput, saveDraftInput } from '@/lib/contracts/console/policy-drafts';
import { defineAction } from '@/lib/server/define-action';
import { discardDraft as discard, saveDraft as save } from '@/lib/services/console/save-draft';

export const saveDraft = defineAction({
  permission: 'policy.draft',
  input: saveDraftInput,
  handler: ({ parts, viewer }, input) => save(parts, viewer.person, input),
});

export const discardDraft = defineAction({
  permission: 'policy.draft',
  input: discardDraftInput,
  handler: ({ parts, viewer }, { version }) => discard(parts, viewer.person, version),
});
