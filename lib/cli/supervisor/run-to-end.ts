import { end, ended, launch, type Launch, type Program } from '@/lib/cli/supervisor/program';

/** Runs a program that does one thing and ends. Throws when it fails; ends it when the signal says so. */
export async function runToEnd(program: Program, options: Launch, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const child = launch(program, options);
  const interrupt = (): void => void end(child, 2000);
  signal.addEventListener('abort', interrupt);
  const how = await ended(child);
  signal.removeEventListener('abort', interrupt);
  signal.throwIfAborted();
  if (how !== 'code 0') throw new Error(`The step "${program.name}" failed (${how}).`);
}
