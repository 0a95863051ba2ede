import { readFile } from 'node:fs/promises';

import type { Given } from '@/lib/policy/policy-tests-schema';
import { readAsked, readGiven as readGivenText, type Asked } from '@/lib/policy/simulate/read-asked';
import type { Result } from '@/lib/shared/result';

const isWrittenOut = (argument: string): boolean => argument.trimStart().startsWith('{');
const textOf = async (argument: string): Promise<string> => (isWrittenOut(argument) ? argument : await readFile(argument, 'utf8'));

/** The actions that `--action` names: written out, or in a file. Throws when the file cannot be read. */
export const readActions = async (argument: string, usual: Given): Promise<Result<readonly Asked[]>> => readAsked(await textOf(argument), usual);

/** What `--context` names; nothing: a quiet session. */
export const readGiven = async (argument: string | undefined): Promise<Result<Given>> => readGivenText(argument === undefined ? '' : await textOf(argument));
