import type { Result } from '@/lib/shared/result';

import type { Suggestion, SuggestWork } from './find-suggestions';

/** Looks for suggestions where it disturbs nobody. */
export type RunSuggest = (work: SuggestWork) => Promise<Result<readonly Suggestion[]>>;
