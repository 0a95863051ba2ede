import type { GapsView } from '@/lib/contracts/console/reconciliation';
import { ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from '../console-parts';

/** Positions looked at in one call: some tens of milliseconds. */
const stretch = 262_144n;
const mostGaps = 100;

/** The next stretch of the log, and which of its positions have no receipt. A log that is whole has none. */
export async function gapsView(parts: Pick<ConsoleParts, 'reconciliation' | 'log'>, from: number): Promise<Result<GapsView>> {
  const { size } = await parts.log.head();
  const begin = BigInt(from) > size ? size : BigInt(from);
  const end = begin + stretch < size ? begin + stretch : size;
  const found = await parts.reconciliation.gaps(begin, end, mostGaps);
  // With more gaps than fit, the call has looked no further than the last one it names.
  const last = found.length === mostGaps ? found.at(-1) : undefined;
  const to = last ? last.to + 1n : end;
  return ok({
    from: Number(begin),
    to: Number(to),
    size: Number(size),
    gaps: found.map((gap) => ({ from: Number(gap.from), to: Number(gap.to) })),
    next: to < size ? Number(to) : null,
  });
}
