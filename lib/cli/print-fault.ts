import type { Fault } from '@/lib/shared/result';
import type { Terminal } from '@/lib/cli/command';

/** `error: code: sentence`, every place that is wrong, and the way out. `file` stands before the places. */
export function printFault(terminal: Terminal, { code, detail, issues = [], fix }: Fault, file?: string): void {
  terminal.err(`error: ${code}: ${detail}`);
  for (const issue of issues) {
    const place = [file, issue.line, issue.column].filter((part) => part !== undefined).join(':');
    const at = issue.path === '' ? '' : `${issue.path}: `;
    terminal.err(`  ${place === '' ? '' : `${place}: `}${at}${issue.message}${issue.fix === undefined ? '' : ` ${issue.fix}`}`);
  }
  if (fix !== undefined) terminal.err(`fix: ${fix}`);
}
