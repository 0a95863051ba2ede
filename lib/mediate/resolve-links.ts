import { normalisePath } from './normalise-path';

const mostSteps = 40;
const mostFolders = 30;

/** The path and the folders above it, deepest first: each of them may be a link. */
export function partsAbove(path: string): readonly string[] {
  const parts: string[] = [];
  for (let end = path.length; end > 0 && parts.length < mostFolders; end = path.lastIndexOf('/', end - 1)) parts.push(path.slice(0, end));
  return parts;
}

/**
 * Where a path leads when some of the folders on it are links. `links` gives, for a path, what it points to: absolute, or from its own folder. A file that does not exist yet
 * is resolved by the folders that do. The path itself when nothing on it is a link; undefined when links go round, or out of where they start.
 */
export function resolveLinks(path: string, links: ReadonlyMap<string, string>): string | undefined {
  let current = path;
  for (let step = 0; step < mostSteps; step++) {
    // The first link on the way is followed first, as the system does.
    const link = partsAbove(current).findLast((part) => links.has(part));
    if (link === undefined) return current;
    const folder = link.includes('/') ? link.slice(0, link.lastIndexOf('/')) || '/' : undefined;
    const target = normalisePath(links.get(link) ?? '', folder);
    if (target === undefined) return undefined;
    current = `${target === '/' ? '' : target}${current.slice(link.length)}` || '/';
  }
  return undefined;
}

/** The subjects under which a link or another name of these paths could be said. */
export const linkSubjects = (paths: readonly string[]): readonly string[] => paths.slice(0, mostPaths).flatMap((path) => partsAbove(path).map((part) => `files:${part}`));

const mostPaths = 200;
