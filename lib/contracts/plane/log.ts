import { z } from 'zod';

/** The newest signed tree head: a C2SP checkpoint in a signed note, verbatim. */
export const checkpointView = z.strictObject({ checkpoint: z.string() });
export type CheckpointView = z.infer<typeof checkpointView>;

/** Shows a receipt to be in the log: its position, the size that the proof leads to, and a C2SP tlog-proof, verbatim. */
export const inclusionView = z.strictObject({ index: z.int().min(0), size: z.int().min(1), proof: z.string() });
export type InclusionView = z.infer<typeof inclusionView>;

/**
 * Shows a log of `to` receipts to go on from the one of `from`: RFC 6962 hashes in base64, and the checkpoint whose size is `to`.
 * Empty when nothing is left to prove: between equal sizes, and from an empty log.
 */
export const consistencyView = z.strictObject({ from: z.int().min(0), to: z.int().min(0), proof: z.array(z.string()), checkpoint: z.string() });
export type ConsistencyView = z.infer<typeof consistencyView>;
