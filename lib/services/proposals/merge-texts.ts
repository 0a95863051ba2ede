import { diffArrays } from 'diff';

/** Where both texts change the same lines of their base, each as it has them. `from_line`: in the base, from 1. */
export type MergeConflict = { readonly from_line: number; readonly in_force: string; readonly proposed: string };

export type Merged = { readonly text: string; readonly conflicts: readonly MergeConflict[] };

type Hunk = { readonly start: number; readonly end: number; readonly lines: readonly string[] };

/**
 * Three-way merge by lines. Changes of one side are taken, the same change of both once; where they touch the same lines, or stand right
 * beside each other, it is a conflict, because two rules that were written without each other may not mean together what they meant alone.
 * With conflicts `text` has the lines in force there.
 */
export function mergeTexts(base: string, inForce: string, proposed: string): Merged {
  const lines = linesOf(base);
  const ours = hunksOf(lines, linesOf(inForce));
  const theirs = hunksOf(lines, linesOf(proposed));
  const out: string[] = [];
  const conflicts: MergeConflict[] = [];
  let at = 0;
  let i = 0;
  let j = 0;
  while (i < ours.length || j < theirs.length) {
    const group = nextGroup(ours.slice(i), theirs.slice(j));
    i += group.ours.length;
    j += group.theirs.length;
    out.push(...lines.slice(at, group.start));
    const left = applied(lines, group.ours, group);
    const right = applied(lines, group.theirs, group);
    at = group.end;
    if (group.theirs.length === 0 || left.join('') === right.join('')) out.push(...left);
    else if (group.ours.length === 0) out.push(...right);
    else {
      conflicts.push({ from_line: group.start + 1, in_force: left.join(''), proposed: right.join('') });
      out.push(...left);
    }
  }
  out.push(...lines.slice(at));
  return { text: out.join(''), conflicts };
}

type Group = { readonly start: number; readonly end: number; readonly ours: readonly Hunk[]; readonly theirs: readonly Hunk[] };

/** The first change and all that overlap or touch it, from either side. */
function nextGroup(ours: readonly Hunk[], theirs: readonly Hunk[]): Group {
  const first = Math.min(ours[0]?.start ?? Infinity, theirs[0]?.start ?? Infinity);
  let end = first;
  const taken: { ours: Hunk[]; theirs: Hunk[] } = { ours: [], theirs: [] };
  for (let grew = true; grew;) {
    grew = false;
    for (const side of ['ours', 'theirs'] as const) {
      const next = (side === 'ours' ? ours : theirs)[taken[side].length];
      if (next === undefined || next.start > end) continue;
      taken[side].push(next);
      end = Math.max(end, next.end);
      grew = true;
    }
  }
  return { start: first, end, ...taken };
}

function applied(lines: readonly string[], hunks: readonly Hunk[], { start, end }: Pick<Group, 'start' | 'end'>): readonly string[] {
  const out: string[] = [];
  let at = start;
  for (const hunk of hunks) {
    out.push(...lines.slice(at, hunk.start), ...hunk.lines);
    at = hunk.end;
  }
  return [...out, ...lines.slice(at, end)];
}

/** Lines that one side may have removed or added, to be told apart: finding the fewest of more takes time that rises with their square. */
const mostChanges = 2000;

function hunksOf(base: readonly string[], changed: readonly string[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  let at = 0;
  const parts = diffArrays([...base], [...changed], { maxEditLength: mostChanges });
  // Taken for one change of everything: it goes together with no change of the other side.
  if (parts === undefined) return [{ start: 0, end: base.length, lines: changed }];
  for (const { added, removed, value } of parts) {
    if (!added && !removed) {
      at += value.length;
      continue;
    }
    const last = hunks.at(-1);
    const end = removed ? at + value.length : at;
    const joined = last !== undefined && last.end === at;
    if (joined) hunks.pop();
    hunks.push({ start: joined ? last.start : at, end, lines: [...(joined ? last.lines : []), ...(added ? value : [])] });
    at = end;
  }
  return hunks;
}

/** Lines with their ends, so that joining gives back every byte. */
const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
