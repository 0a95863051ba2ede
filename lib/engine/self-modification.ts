import type { ActionFacts, CanonicalAction } from '@/lib/mediate/action';
import { isJsonArray, isJsonObject, type Json } from '@/lib/shared/json';

/**
 * The built-in forbidden set, which no policy loosens: an agent does not touch what decides about it. Nobody may reach into a
 * state directory (it holds keys and pins); nobody but people may change signed policies, their signatures, or the hook and
 * agent configuration that puts Countersign in the way, and nobody may remove the folders that hold it. A command that so much as
 * names such a file counts: `cat a b > b` reads and writes. A parameter counts whatever its role: a tool that somebody added may
 * call a path anything. Returns what is protected, or null.
 */
export function protectedPath(action: CanonicalAction): string | null {
  const { facts, parameters } = action;
  const reads = facts.effects.every((effect) => effect === 'read');
  for (const path of facts.paths) if (isWorthALook(path) && (isState(path) || (!reads && (isConfiguration(path) || (removes(facts) && isConfigurationFolder(path)))))) return path;
  for (const program of facts.programs) {
    for (const word of program.arguments) if (isWorthALook(word) && (isState(word) || mentionsState(word) || isConfiguration(word) || (changing.has(program.name) && isConfigurationFolder(word)))) return word;
  }
  return unnamedPath(parameters, reads, { left: mostLeaves });
}

/** Everything below holds one of these, or letters that may stand for them: most paths are done with one look. */
const isWorthALook = (path: string): boolean => /[^\0-\x7f]|countersign|polic|claude|\.cursor|\.vscode|windsurf|\.codex|\.gemini|mcp\.json|settings\.json|\.sig\.json/i.test(path);

/** Programs to which a folder is something to remove, move, replace or lock. */
const changing = new Set(['rm', 'rmdir', 'mv', 'cp', 'ln', 'rsync', 'tar', 'unzip', 'chmod', 'chown', 'chattr', 'setfacl', 'shred', 'install', 'touch', 'trash', 'gio', 'find', 'mount', 'umount', '>']);

const removes = ({ effects, programs }: ActionFacts): boolean => effects.includes('destructive') || programs.length === 0;

const segments = (path: string): readonly string[] => path.normalize('NFKC').toLowerCase().replaceAll('\\', '/').split(/[/=:]/).map((part) => part.replace(/[. ]+$/, '')).filter((part) => part !== '');

const statePart = /^\.countersign(?:-[a-z0-9-]+)?$/;

function isState(path: string): boolean {
  return segments(path).some((part) => statePart.test(part));
}

/** Inside a longer text, such as a program for an interpreter. */
const mentionsState = (word: string): boolean => /(?:^|[^a-z0-9_.-])\.countersign(?:-[a-z0-9-]+)?(?![a-z0-9_.])/i.test(word);

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
  // What other tools of this kind call their own rules.
  if (folder.startsWith('.') && folder !== '..' && /^polic(?:y|ies)\.(?:ya?ml|json|md)$/.test(last)) return true;
  return parts.slice(0, -1).includes('policies') && /\.(?:ya?ml|md)$/.test(last);
}

const configurationFolders = new Set(['.claude', '.cursor', '.vscode', '.windsurf', '.codex', '.gemini', 'policies']);

function isConfigurationFolder(path: string): boolean {
  const parts = segments(path);
  return configurationFolders.has(parts.at(-1) ?? '') || (parts.at(-1) === 'hooks' && parts.at(-2) === '.claude');
}

const mostLeaves = 500;
const longestPath = 4096;

/** A path in a parameter that has no role: one word, as paths are; prose that mentions one has blanks. */
function unnamedPath(value: Json, reads: boolean, bound: { left: number }): string | null {
  if (bound.left-- <= 0) return null;
  if (typeof value === 'string') {
    if (value.length > longestPath || /\s/.test(value) || !isWorthALook(value) || value.includes('://')) return null;
    return isState(value) || (!reads && isConfiguration(value)) ? value : null;
  }
  const parts = isJsonArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  for (const part of parts) {
    const found = unnamedPath(part, reads, bound);
    if (found !== null) return found;
  }
  return null;
}
