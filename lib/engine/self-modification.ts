import type { CanonicalAction } from '@/lib/mediate/action';

/**
 * The built-in forbidden set, which no policy loosens: an agent does not touch what decides about it. Nobody may reach into a
 * state directory (it holds keys and pins); nobody but people may change signed policies, their signatures, or the hook and
 * agent configuration that puts Countersign in the way. A command that so much as names such a file counts: `cat a b > b` reads
 * and writes. Returns the path that is protected, or null.
 */
export function protectedPath(action: CanonicalAction): string | null {
  const reads = action.entry.effect === 'read';
  for (const path of action.facts.paths) if (isState(path) || (!reads && isConfiguration(path))) return path;
  for (const program of action.facts.programs) {
    for (const word of program.arguments) if (isState(word) || isConfiguration(word)) return word;
  }
  return null;
}

const segments = (path: string): readonly string[] => path.toLowerCase().replaceAll('\\', '/').split(/[/=]/).filter((part) => part !== '' && part !== '.');

function isState(path: string): boolean {
  const parts = segments(path);
  return parts.some((part) => /^\.countersign(?:-[a-z0-9-]+)?$/.test(part));
}

function isConfiguration(path: string): boolean {
  const parts = segments(path);
  const last = parts.at(-1) ?? '';
  const folder = parts.at(-2) ?? '';
  if (/\.(?:ya?ml|json|md)\.sig\.json$/.test(last) || ['.mcp.json', '.claude.json', 'claude_desktop_config.json'].includes(last)) return true;
  if (folder === '.claude' && /^settings(?:\.local)?\.json$/.test(last)) return true;
  if (parts.includes('.claude') && parts.includes('hooks')) return true;
  if (['.cursor', '.vscode', '.windsurf', '.codex', '.gemini'].includes(folder) && /^(?:mcp|hooks|config|settings)\.(?:json|toml)$/.test(last)) return true;
  // The editor's own folder: `~/.config/Code/User`, with a folder for each profile below it.
  const user = parts.indexOf('user');
  if (user > 0 && /^(?:code|cursor|vscodium|windsurf)\b/.test(parts[user - 1] ?? '') && /^(?:mcp|settings)\.json$/.test(last)) return true;
  const policies = parts.indexOf('policies');
  return policies >= 0 && /\.ya?ml$/.test(last) && (policies === 0 ? !path.startsWith('/') : parts[policies - 1] === 'countersign');
}
