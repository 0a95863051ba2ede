import { maxBundleBytes } from '@/lib/ledger/bundle';
import { fail, type Result } from '@/lib/shared/result';

/** Counts what a bundle will take up while it is gathered, so that a range that is too long ends early and not in memory. */
export type ExportRoom = {
  /** The refusal once there is no room left; undefined: there is. */
  readonly take: (bytes: number) => Result<never> | undefined;
  /** That the receipts before this position are taken: what the refusal can offer. */
  readonly reached: (position: number) => void;
};

/** Bytes beside a receipt's or content's own: names, digests, separators, a path where it needs one. */
const beside = 200;

export function exportRoom(from: number, most = maxBundleBytes): ExportRoom {
  let taken = 0;
  let position = from;
  return {
    reached: (at) => void (position = at),
    take: (bytes) => {
      taken += bytes + beside;
      if (taken <= most) return undefined;
      // Contents may take as much room again as receipts: half of what was reached is what surely fits.
      const offer = from + Math.max(1, Math.floor((position - from) / 2));
      return fail('too_large', `A bundle holds ${String(most)} bytes; this one would be larger.`, {
        fix: `Export it in parts that go on from each other: --from ${String(from)} --to ${String(offer)}, then --from ${String(offer)}, or withhold contents.`,
      });
    },
  };
}
