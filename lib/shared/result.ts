import type { ErrorCode } from './error-codes';

/** One place in the input that is wrong: a JSON path such as `parameters.limit`, what is wrong there, and how to put it right. */
export type Issue = {
  readonly path: string;
  readonly message: string;
  readonly fix?: string;
  readonly line?: number;
  readonly column?: number;
};

/** An expected failure: a closed code, a sentence for the user, and (kept for the log, never shown) its cause. */
export type Fault = {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly fix?: string;
  readonly issues?: readonly Issue[];
  readonly cause?: unknown;
};

export type Result<T, E = Fault> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E };

export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });

export const err = <E>(error: E): { readonly ok: false; readonly error: E } => ({ ok: false, error });

/** Shorthand for the common failure: `fail('not_found', 'No session s1.')`. */
export const fail = (
  code: ErrorCode,
  detail: string,
  more: { readonly fix?: string; readonly issues?: readonly Issue[]; readonly cause?: unknown } = {},
): { readonly ok: false; readonly error: Fault } => err({ code, detail, ...more });
