import type { CommitOutcome, Draft } from '@/lib/services/draft';
import type { KeyStanding } from '@/lib/services/keyring';

/** What both ends of the commit thread's port send: plain data of ours, copied by the runtime and so of the type it was. */
export type ToCommitThread = { readonly kind: 'drafts'; readonly drafts: readonly Numbered<Draft>[] } | { readonly kind: 'keys'; readonly standing: KeyStanding } | { readonly kind: 'stop' };

export type FromCommitThread = { readonly kind: 'ready' } | { readonly kind: 'settled'; readonly results: readonly Numbered<Settled>[] };

export type Numbered<T> = { readonly number: number; readonly value: T };

/** Errors lose their class on the way, so their name travels apart: callers tell `CommitUnknown` from what surely did not commit. */
export type Settled = { readonly outcome: CommitOutcome } | { readonly error: { readonly name: string; readonly message: string; readonly stack?: string } };
