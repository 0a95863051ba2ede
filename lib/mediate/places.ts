import { normalisePath } from './normalise-path';

const mostPlaces = 16;

/** Where relative paths may start: where the command does, and wherever it goes to. In what order it gets there, a loop may change. */
export class Places {
  /** True when a path cannot be told. */
  lost = false;
  private readonly bases: (string | undefined)[];

  constructor(cwd: string | undefined, folders: readonly string[]) {
    this.bases = [cwd];
    for (const folder of new Set(folders)) {
      const next = this.bases.map((base) => normalisePath(folder, base));
      if (next.includes(undefined) || this.bases.length > mostPlaces) this.lost = true;
      for (const base of next) if (base !== undefined && !this.bases.includes(base)) this.bases.push(base);
    }
  }

  /** The folders that it goes to. */
  get visited(): readonly string[] {
    return this.bases.slice(1).filter((base) => base !== undefined);
  }

  of(text: string): readonly string[] {
    const found = this.bases.map((base) => normalisePath(text, base));
    // A shell fills in `~`; a pattern that is quoted it leaves alone, and one that is not has been noticed before.
    if (found.some((path) => path === undefined || path.startsWith('~'))) this.lost = true;
    return [...new Set(found.filter((path) => path !== undefined))];
  }
}
