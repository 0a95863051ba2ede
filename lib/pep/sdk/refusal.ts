import type { Result } from '@/lib/shared/result';

/**
 * Codes that this side adds to the plane's own. Each of them means that nothing was permitted, or that what ran could not be
 * taken through the plane.
 */
export const sdkCodes = {
  plane_unreachable: 'The plane cannot be reached',
  plane_late: 'The plane did not answer in time',
  plane_unreadable: 'The plane’s answer cannot be read',
  stopped: 'The caller stopped waiting',
  permit_missing: 'The plane permitted without a permit',
  not_this_tool: 'The permit is for another tool than this one',
  obligation_unmet: 'The tool cannot honour what the permit asks of it',
  outcome_unreported: 'The outcome could not be reported, so the output is kept back',
} as const;
export type SdkCode = keyof typeof sdkCodes;

/** Why a call brought nothing. `code` is one of `sdkCodes` or of the plane's published list. */
export type Refusal = { readonly code: string; readonly detail: string; readonly fix?: string; readonly cause?: unknown };

const passing = new Set(['plane_unreachable', 'plane_late', 'plane_unreadable', 'unavailable', 'overloaded', 'internal']);

/** Whether the refusal says something of the plane's state rather than of what was asked: the same may be asked again later. */
export const isPassing = (code: string): boolean => passing.has(code);

export const refuse = (code: SdkCode, detail: string, cause?: unknown): { readonly ok: false; readonly error: Refusal } => ({
  ok: false,
  error: { code, detail, ...(cause === undefined ? {} : { cause }) },
});

export type Answered<T> = Promise<Result<T, Refusal>>;
