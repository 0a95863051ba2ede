/** How an export stands. `size`: of the newest checkpoint that is known to have arrived. */
export type ExportState = { readonly size: number | null; readonly failing_since: string | null; readonly fault: string | null };

/** How far checkpoints have got. Nothing of it stops decisions; all of it is for those who watch. */
export type CheckpointHealth = {
  /** Receipts in the log, and those of them that a signed checkpoint covers. */
  readonly size: number;
  readonly covered: number;
  /** Since when the log has been ahead of its checkpoints; null while that is a matter of seconds. */
  readonly behind_since: string | null;
  readonly fault: string | null;
  readonly exports: readonly (ExportState & { readonly to: string })[];
};
