import type { Rest } from './rest-of-rule';
import type { TrackedRule } from './tracked-rule';

export type SideName = 'base' | 'next';

/** A rule that may still matter, with the policies for which it does, the truths that it may still have, and what is open of it. */
export type OpenRule = { readonly tracked: TrackedRule; readonly on: TrackedRule['side']; readonly truth: number; readonly rest: Rest };

export const isOn = ({ on }: OpenRule, side: SideName): boolean => on === side || on === 'both';
