import { contextMutants } from './mutants-of-context';
import { decisionMutants } from './mutants-of-decisions';
import { lifeCycleMutants } from './mutants-of-life-cycle';
import type { Mutant } from './mutants-of-modules';

/**
 * Engines that are broken on purpose, each in one exported function. The conformance cases name them (`breaks_on`), and
 * `mutants.test.ts` holds that every case fails on each that it names.
 */
export const mutants: readonly Mutant[] = [...decisionMutants, ...contextMutants, ...lifeCycleMutants];
