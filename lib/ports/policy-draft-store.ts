import type { RevisionReference } from '@/lib/authority/policy-revision';
import type { PolicyFormat } from '@/lib/policy/read-text';
import type { PersonId } from '@/lib/shared/ids';

/** What a person is writing. `version` rises with every save; `base` is what was in force when it was begun. */
export type PolicyDraftRow = {
  readonly version: number;
  readonly text: string;
  readonly format: PolicyFormat;
  readonly tests: string;
  readonly base: RevisionReference | null;
  readonly saved_at: string;
};

/** One draft a person. Every call names the person: nobody reaches another one's draft. */
export type PolicyDraftStore = {
  readonly of: (person: PersonId) => Promise<PolicyDraftRow | undefined>;
  /** Compare-and-set on `expected` (0: there is none yet). Undefined when another save came first. */
  readonly save: (person: PersonId, expected: number, draft: Omit<PolicyDraftRow, 'version' | 'saved_at'>) => Promise<Pick<PolicyDraftRow, 'version' | 'saved_at'> | undefined>;
  /** False when the draft has another version by now. */
  readonly remove: (person: PersonId, expected: number) => Promise<boolean>;
};
