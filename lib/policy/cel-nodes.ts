import type { Json } from '@/lib/shared/json';

/** A node of the library's syntax tree, as far as it is read here: an operator with its arguments, and where it begins. */
export type Node = { readonly op: string; readonly args: unknown; readonly start: number };

export const isNode = (tree: unknown): tree is Node =>
  typeof tree === 'object' && tree !== null && 'op' in tree && typeof tree.op === 'string' && 'args' in tree && 'start' in tree && typeof tree.start === 'number';

export const argumentsOf = (tree: Node): readonly unknown[] => (Array.isArray(tree.args) ? (tree.args as readonly unknown[]) : [tree.args]);

/** A literal's value; undefined when it is none, or a number that is not exact. */
export function literalOf(tree: unknown): Json | undefined {
  if (!isNode(tree)) return undefined;
  if (tree.op === 'list') {
    const parts = Array.isArray(tree.args) ? (tree.args as readonly unknown[]).map(literalOf) : [];
    return parts.every((part) => part !== undefined) ? parts : undefined;
  }
  if (tree.op === '-_') {
    const value = literalOf(argumentsOf(tree)[0]);
    return typeof value === 'number' ? -value : undefined;
  }
  if (tree.op !== 'value') return undefined;
  const value = tree.args;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return value === null || typeof value === 'string' || typeof value === 'boolean' ? value : undefined;
}
