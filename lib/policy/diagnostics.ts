import type { Issue } from '@/lib/shared/result';

/** Where in a document something stands: keys and positions from the root. */
export type Path = readonly (string | number)[];

/** A problem that stops a policy from loading, before its line and column are known. */
export type Diagnostic = {
  readonly path: Path;
  readonly message: string;
  readonly fix: string;
  /** Characters into the text that stands at the path; left out: the path itself. */
  readonly within?: number;
};

/** Collects every problem, so that an author sees all of them at once. */
export class Diagnostics {
  readonly found: Diagnostic[] = [];

  /** Adds a problem with what puts it right. A problem that nobody can act on is not told well enough. */
  add(path: Path, message: string, fix: string, within?: number): void {
    this.found.push({ path, message, fix, ...(within === undefined ? {} : { within }) });
  }
}

/** `['rules', 2, 'context']` → `rules[2].context`. */
export const pathText = (path: Path): string =>
  path.reduce<string>((text, part) => (typeof part === 'number' ? `${text}[${String(part)}]` : text === '' ? part : `${text}.${part}`), '');

export type Position = { readonly line: number; readonly column: number };

/** Line and column of a path, or of a character of the text that stands there. */
export type Locate = (path: Path, within?: number) => Position;

export function toIssues(found: readonly Diagnostic[], locate: Locate): readonly Issue[] {
  return found.map(({ path, message, fix, within }): Issue => ({ path: pathText(path), message, fix, ...locate(path, within) }));
}

/** As they stand in the text. */
export const inOrder = (issues: readonly Issue[]): readonly Issue[] =>
  [...issues].sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
