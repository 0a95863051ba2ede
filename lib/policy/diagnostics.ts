import type { Issue } from '@/lib/shared/result';

/** Where in a document something stands: keys and positions from the root. */
export type Path = readonly (string | number)[];

/** A problem that stops a policy from loading, before its line and column are known. `onKey`: the name itself is wrong. */
export type Diagnostic = { readonly path: Path; readonly message: string; readonly fix?: string };

/** Collects every problem, so that an author sees all of them at once. */
export class Diagnostics {
  readonly found: Diagnostic[] = [];

  add(path: Path, message: string, fix?: string): void {
    this.found.push({ path, message, ...(fix === undefined ? {} : { fix }) });
  }
}

/** `['rules', 2, 'context']` → `rules[2].context`. */
export const pathText = (path: Path): string =>
  path.reduce<string>((text, part) => (typeof part === 'number' ? `${text}[${String(part)}]` : text === '' ? part : `${text}.${part}`), '');

export type Position = { readonly line: number; readonly column: number };

export function toIssues(found: readonly Diagnostic[], locate: (path: Path) => Position): readonly Issue[] {
  const issues = found.map(({ path, message, fix }): Issue => ({ path: pathText(path), message, ...(fix === undefined ? {} : { fix }), ...locate(path) }));
  return issues.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}
