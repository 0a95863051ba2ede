import { isJsonObject, type Json } from '@/lib/shared/json';

/**
 * Narrows a condition by a further one. Texts become `(old) AND (further)`, but only when the old one is balanced: a condition
 * such as `1=1) OR (1=1` would step out of its parentheses and undo the filter. Undefined: it cannot be narrowed safely, or asks for
 * other rows than the filter leaves.
 */
export function addFilter(value: Json | undefined, further: string): Json | undefined {
  if (value === undefined || value === null) return further;
  if (typeof value === 'string') {
    if (value.trim() === '') return further;
    if (value === further || isNarrowed(value, ` AND (${further})`)) return value;
    return isBalanced(value) ? `(${value}) AND (${further})` : undefined;
  }
  const pair = /^\s*([A-Za-z_][A-Za-z0-9_.]*)\s*=\s*(?:'([^']*)'|(-?\d+(?:\.\d+)?))\s*$/.exec(further);
  const name = pair?.[1];
  if (!isJsonObject(value) || name === undefined) return undefined;
  const wanted = pair?.[2] ?? Number(pair?.[3]);
  if (!Object.hasOwn(value, name)) return { ...value, [name]: wanted };
  return value[name] === wanted ? value : undefined;
}

/** One group in parentheses before it, and nothing beside: `a OR (b) AND (further)` ends like a narrowed condition and is none. */
function isNarrowed(value: string, ending: string): boolean {
  if (!value.endsWith(ending)) return false;
  const before = value.slice(0, -ending.length);
  return before.startsWith('(') && before.endsWith(')') && isBalanced(before.slice(1, -1));
}

/** Parentheses and quotes close where they should, and nothing in it ends the statement or comments the rest out. */
function isBalanced(text: string): boolean {
  let depth = 0;
  let quote = '';
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (character === '\\') return false;
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === "'" || character === '"' || character === '`') quote = character;
    else if (character === ';' || character === '#' || character === '$' || text.startsWith('--', i) || text.startsWith('/*', i)) return false;
    else if (character === '(') depth += 1;
    else if (character === ')') {
      depth -= 1;
      if (depth < 0) return false;
    }
  }
  return depth === 0 && quote === '';
}
