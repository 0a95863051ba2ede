/** A call that does not fit the command. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The same, said by Node's own `parseArgs`. */
export const isParseArgsError = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('ERR_PARSE_ARGS');
