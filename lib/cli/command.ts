import type { parseEnvironment } from '@/lib/server/env';

/** What a command talks to. Tests give one of their own; nothing in a command touches `process` for it. */
export type Terminal = {
  /** The answer: stdout, as it is. With `--json` nothing else goes there. */
  readonly out: (text: string) => void;
  /** A line for the person: stderr. */
  readonly err: (line: string) => void;
  /** A line that the next one replaces; an empty one leaves nothing. Only where a person looks at stderr. */
  readonly progress?: (line: string) => void;
  readonly env: Parameters<typeof parseEnvironment>[0];
};

export type Command = {
  /** Shown by `--help`, and after a call that does not fit it. */
  readonly usage: string;
  /** Resolves with the exit code. What it throws could not be done at all: 2. */
  readonly run: (args: string[], terminal: Terminal) => Promise<number>;
};

/** 0 done; 1 refused, or something was found; 2 a call that does not fit, or something that cannot be read; 3 see `countersign verify`. */
export const exitCode = { done: 0, refused: 1, unusable: 2, issuerNotVerified: 3 } as const;

export type CommandEntry = { readonly does: string; readonly load: () => Promise<{ readonly command: Command }> };
/** By the words that call it: `policy lint`, `verify`. */
export type CommandTable = Readonly<Record<string, CommandEntry>>;
