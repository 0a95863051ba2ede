import { maxBundleBytes } from '@/lib/ledger/bundle';
import { fail, type Result } from '@/lib/shared/result';

/** Counts what a bundle will take up while it is gathered, so that a range that is too long ends early and not in memory. */
export type ExportRoom = {
  /** The refusal once there is no room left; undefined: there is. */
  readonly take: (bytes: number) => Result<never> | undefined;
  /** The refusal when receipts like those that are taken leave no room for so many: known after a few of millions. */
  readonly foresee: (receipts: number) => Result<never> | undefined;
  /** That the receipts before this position are taken: what the refusal can offer. */
  readonly reached: (position: number) => void;
};

/** Bytes beside a receipt's or content's own: names, digests, separators. */
const beside = 200;

/** How far over an estimate has to be before it refuses: the first receipts of a range may be larger than most. */
const surely = 2;

export function exportRoom(from: number, most = maxBundleBytes): ExportRoom {
  let taken = 0;
  let position = from;
  const refuse = (): Result<never> => {
    // Contents may take as much room again as receipts: half of what fits by receipts alone is what surely does.
    const fits = position === from ? 1 : most / (taken / (position - from));
    const offer = from + Math.max(1, Math.floor(fits / 2));
    return fail('too_large', `A bundle holds ${String(most)} bytes; this one would be larger.`, {
      fix: `Export it in parts that go on from each other: --from ${String(from)} --to ${String(offer)}, then --from ${String(offer)}, or withhold contents.`,
    });
  };
  return {
    reached: (at) => void (position = at),
    take: (bytes) => {
      taken += bytes + beside;
      return taken > most ? refuse() : undefined;
    },
    foresee: (receipts) => (position > from && (taken / (position - from)) * receipts > surely * most ? refuse() : undefined),
  };
}
