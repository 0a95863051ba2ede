import type { ProgramFact } from './action';

/** True for a tool or operation that is called after a Windows shell: what it runs follows other rules than a POSIX shell's. */
export const isWindowsShell = (name: string): boolean => /(?:^|[^a-z])(?:cmd|powershell|pwsh)(?:$|[^a-z])/i.test(name);

const longest = 8_192;
const most = 100;

/**
 * The programs that a line for `cmd` or PowerShell seems to start, so that rules which forbid see them. Never the whole of it: both have
 * their own quotes, carets, aliases and expressions, so such a command is always opaque.
 */
export function guessWindowsPrograms(command: string): readonly ProgramFact[] {
  const programs: ProgramFact[] = [];
  for (const part of command.slice(0, longest).replace(/[\^`]/g, '').split(/[;&|\n(){}]+/).slice(0, most)) {
    const words = part.match(/"[^"]*"|'[^']*'|[^\s"']+/g)?.map((word) => word.replace(/^["']|["']$/g, '')) ?? [];
    const [first, ...rest] = words;
    if (first === undefined) continue;
    const name = (first.split(/[\\/]/).at(-1) ?? first).replace(/\.(?:exe|com|bat|cmd|ps1)$/i, '').toLowerCase();
    programs.push({ name, arguments: rest });
    // `cmd /c del x`, `powershell -Command Remove-Item x`
    const inner = rest.findIndex((word) => /^(?:\/[ck]|-c(?:ommand)?)$/i.test(word));
    const [started, ...more] = inner < 0 ? [] : rest.slice(inner + 1);
    if (started !== undefined) programs.push({ name: started.toLowerCase(), arguments: more });
  }
  return programs;
}
