/** What the event stream sends: ids only. `look` means: something may have been missed, read everything again. */
export type ConsoleEvent =
  | { readonly kind: 'look' }
  | { readonly kind: 'action_changed' | 'approval_changed' | 'session_changed' | 'proposal_changed'; readonly id: string }
  | { readonly kind: 'epoch_raised' }
  | { readonly kind: 'log_grew'; readonly id: string };
