import { z } from 'zod';

import type { RevisionReference } from '@/lib/authority/policy-revision';
import { digestField } from '@/lib/shared/document-fields';
import { bounds } from '@/lib/shared/bounds';

import { policyFormats, type PolicyFormat } from './policies';

const wellFormed = { error: 'The text holds a lone surrogate.' };
/** PostgreSQL's text holds no U+0000, and no policy may. */
const draftText = (most: number) => z.string().max(most).refine((value) => value.isWellFormed() && !value.includes('\0'), wellFormed);

/** Cases beside a policy, at most. */
export const testsLength = 1024 * 1024;

/** `version` is the one that was loaded, 0 for a first save: another one in between is a conflict. A draft may be any text, broken ones included. */
export const saveDraftInput = z.strictObject({
  version: z.int().min(0),
  text: draftText(bounds.policyBytes),
  format: z.enum(policyFormats),
  tests: draftText(testsLength),
  base: z.strictObject({ revision: z.int().min(1), digest: digestField }).nullable(),
});
export type SaveDraftInput = z.infer<typeof saveDraftInput>;

export const discardDraftInput = z.strictObject({ version: z.int().min(1) });

export type SavedDraft = { readonly version: number; readonly saved_at: string };

export type DraftView = SavedDraft & {
  readonly text: string;
  readonly format: PolicyFormat;
  readonly tests: string;
  readonly base: RevisionReference | null;
};

/** What the editor opens with: what is in force, this person's draft, and the names that a policy may use. */
export type PolicyEditorView = {
  readonly in_force: (RevisionReference & { readonly text: string; readonly format: PolicyFormat; readonly rules: number }) | null;
  readonly draft: DraftView | null;
  readonly groups: readonly { readonly name: string; readonly people: number }[];
  readonly agents: readonly string[];
};
