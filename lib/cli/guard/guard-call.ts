import path from 'node:path';
import { parseArgs } from 'node:util';

import { exitCode, type Terminal } from '@/lib/cli/command';
import { plainText } from '@/lib/cli/plain-text';
import { UsageError } from '@/lib/cli/usage-error';
import { isDigest, type Digest } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

/** The flags that have to be there, and those that may. Throws a usage error that names the first that is missing. */
export function flagsOf(args: string[], needed: readonly string[], optional: readonly string[] = []): { readonly get: (name: string) => string; readonly find: (name: string) => string | undefined } {
  const { values } = parseArgs({ args, options: Object.fromEntries([...needed, ...optional].map((name) => [name, { type: 'string' as const }])) });
  const find = (name: string): string | undefined => {
    const value = values[name];
    return typeof value === 'string' ? value : undefined;
  };
  const get = (name: string): string => {
    const value = find(name);
    if (value === undefined) throw new UsageError(`--${name} is missing.`);
    return value;
  };
  needed.forEach(get);
  return { get, find };
}

/** The user that this process runs as: what the operating system says, never a flag. */
export function callerUid(): Result<number> {
  const real = process.getuid?.();
  const effective = process.geteuid?.();
  if (real === undefined || effective === undefined) return fail('unavailable', 'This system has no user ids, so it cannot keep an agent from its owner’s files.');
  return real === effective ? ok(real) : fail('forbidden', `This process runs as uid ${String(effective)} for uid ${String(real)}; run it as one user.`);
}

/** A user id as it stands in a flag. */
export function uidOf(text: string): Result<number> {
  const uid = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  return uid <= 0xffff_fffe ? ok(uid) : fail('invalid_input', '--agent-uid is a user id: a number from 0 to 4294967294.');
}

export const proposalIdOf = (text: string): Result<Digest> => (isDigest(text) ? ok(text) : fail('invalid_input', '--id is the SHA-256 of a proposal: 64 hex digits in lower case.'));

/** Names of files as they are printed: below the directory as it was given. */
export const shownPath = (state: string, ...below: string[]): string => oneLine(path.join(state, ...below));

/** Text that somebody else wrote, on the one line that is its own: it cannot end the line and begin another that looks like ours. */
export const oneLine = (text: string): string => plainText(text).replaceAll('\n', '<U+000A>');

/** One line, whatever went wrong. */
export function refuse(terminal: Terminal, { detail }: { readonly detail: string }): number {
  terminal.err(`error: ${oneLine(detail)}`);
  return exitCode.unusable;
}

export const now = (): string => new Date().toISOString();
