import type { PersonId } from '@/lib/shared/ids';

/** What the approvals pages need to know of who looks. */
export type ApprovalsViewer = { readonly person: PersonId; readonly readsReceipts: boolean };
