import { spawn } from 'node:child_process';

import { placeEnvironment, repository, type Place } from './product';

export type CommandAnswer = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** The `countersign` command, as a person at that place's machine would call it. */
export function runCommand(place: Place, args: readonly string[]): Promise<CommandAnswer> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['lib/cli/countersign.mjs', ...args], { cwd: repository, env: placeEnvironment(place), stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
