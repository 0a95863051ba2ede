import type { LogLevel } from '@/lib/server/env';

export type LogFields = Readonly<Record<string, unknown>>;

/** Structured log of one part of the program; messages are for operators and never shown to users. */
export type Logger = {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
};

type LoggerOptions = {
  readonly level: LogLevel;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  readonly write?: (line: string) => void;
};

const rank: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

/** Names whose values never reach a log, at any depth. */
const secret = /token|secret|password|authorization|cookie|private|credential/i;

const deepest = 6;

/**
 * A logger that writes one JSON object a line, to stderr unless told otherwise: stdout belongs to what a command answers. Errors are
 * written with their causes; values under a name that sounds secret are withheld. Logging never throws.
 */
export function createLogger(part: string, options: LoggerOptions): Logger {
  const now = options.now ?? Date.now;
  const write = options.write ?? ((line: string) => process.stderr.write(line));
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}): void => {
      if (rank[level] < rank[options.level]) return;
      const entry = { time: new Date(now()).toISOString(), level, part, message, ...describeFields(fields, 0) };
      write(`${JSON.stringify(entry)}\n`);
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

function describeFields(fields: object, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]: [string, unknown]) => [name, secret.test(name) ? '[withheld]' : describe(value, depth + 1)]),
  );
}

function describe(value: unknown, depth: number): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'function' || typeof value === 'symbol') return `[${typeof value}]`;
  if (typeof value !== 'object' || value === null) return value;
  if (depth > deepest) return '[deeper]';
  if (value instanceof Error) return describeError(value, depth);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '[invalid date]' : value.toISOString();
  if (value instanceof Uint8Array) return `[${String(value.byteLength)} bytes]`;
  if (Array.isArray(value)) return value.map((item: unknown) => describe(item, depth + 1));
  return describeFields(value, depth);
}

function describeError(error: Error, depth: number): Record<string, unknown> {
  return {
    name: error.name,
    message: error.message,
    ...('code' in error ? { code: describe(error.code, depth + 1) } : {}),
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: describe(error.cause, depth + 1) }),
    // Of many at once the first few say what is wrong; a line of a log is not for a thousand.
    ...(error instanceof AggregateError ? { errors: error.errors.slice(0, 5).map((one: unknown) => describe(one, depth + 1)) } : {}),
  };
}
