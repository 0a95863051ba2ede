import type { GuardFinding } from '@/lib/context/snapshot';
import type { CanonicalAction } from '@/lib/mediate/action';
import { isJsonArray, isJsonObject, type Json } from '@/lib/shared/json';

const guard = 'self-modification';
const mostLeaves = 500;

/**
 * Folders that this installation keeps its keys and pins in, wherever they are: absolute, as the host resolved them. Reaching into one is
 * blocked, and so is removing a folder above it. A relative path through a folder of its name may be it: that a person can tell.
 */
export function inspectManaged(action: CanonicalAction, folders: readonly string[]): readonly GuardFinding[] {
  if (folders.length === 0) return [];
  const { facts } = action;
  const words = [...facts.paths, ...facts.programs.flatMap((program) => program.arguments), ...textsOf(action.parameters, { left: mostLeaves })];
  for (const folder of folders) {
    const kept = readable(folder);
    const name = kept.slice(kept.lastIndexOf('/') + 1);
    let doubtful: string | undefined;
    for (const word of words) {
      const path = readable(word);
      if (isWithin(path, kept) || path.includes(`${kept}/`)) return [{ guard, verdict: 'block', path: '', detail: `${word} is where Countersign keeps its keys.` }];
      if (isWithin(kept, path) && removesWhole(action)) return [{ guard, verdict: 'block', path: '', detail: `${word} holds the folder where Countersign keeps its keys.` }];
      if (!path.startsWith('/') && !/\s/.test(path) && name !== '' && path.split('/').includes(name)) doubtful ??= word;
    }
    if (doubtful !== undefined) return [{ guard, verdict: 'hold', path: '', detail: `${doubtful} may be where Countersign keeps its keys.` }];
  }
  return [];
}

/** Volumes that do not tell case apart or keep trailing dots would open the same file. */
const readable = (path: string): string => path.normalize('NFKC').toLowerCase().replaceAll('\\', '/').replace(/^file:\/\//, '').replace(/[. ]+(?=\/|$)/g, '').replace(/(?<=.)\/+$/, '');

const isWithin = (path: string, folder: string): boolean => folder !== '' && (path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`));

/** Deleting or moving a folder takes along what is below it. */
function removesWhole({ facts, operation }: CanonicalAction): boolean {
  if (facts.programs.length === 0) return facts.effects.includes('destructive') || /move|rename|delete|remove/i.test(operation);
  return facts.programs.some(({ name, arguments: words }) => name === 'mv' || name === 'chmod' || name === 'chown' || (name === 'rm' && words.some((word) => /^-[a-z]*r|^--rec/i.test(word))) || (name === 'find' && words.includes('-delete')));
}

/** Texts that may be a path: of one word. */
function textsOf(value: Json, bound: { left: number }): readonly string[] {
  if (bound.left-- <= 0) return [];
  if (typeof value === 'string') return value.length <= 4096 && !/\s/.test(value) ? [value] : [];
  const parts = isJsonArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  return parts.flatMap((part) => textsOf(part, bound));
}
