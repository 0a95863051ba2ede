import { isAlias, isMap, isNode, isPair, isScalar, isSeq, type Document, type Pair, type Scalar, type YAMLMap } from 'yaml';

import type { Json } from '@/lib/shared/json';

import type { Path } from './diagnostics';

/** Something that YAML allows and a policy does not. `readable`: the rest of the text keeps its meaning without it. */
export type ForbiddenNode = { readonly path: Path; readonly message: string; readonly fix: string; readonly offset: number; readonly readable: boolean };

/** The way down to a node, written out only where there is something to tell. */
type Way = { readonly above: Way; readonly part: string | number } | null;

/** A document as plain JSON, with the anchors, aliases, tags, repeated names and numbers in it that would change when read: all in one walk. */
export function valueOfNodes(document: Document.Parsed): { readonly value: Json; readonly found: readonly ForbiddenNode[] } {
  const walk = new Walk();
  return { value: walk.valueOf(document.contents, null), found: walk.found };
}

class Walk {
  readonly found: ForbiddenNode[] = [];

  valueOf(node: unknown, way: Way): Json {
    if (isPair(node)) return this.#valueOfPairs([node], way);
    if (!isNode(node)) return null;
    const tell = (message: string, fix: string, readable: boolean): void => this.#tell(way, message, fix, node.range?.[0] ?? 0, readable);
    if (isAlias(node)) {
      tell(`Aliases (*${node.source}) are not read.`, 'Write the value out.', false);
      return null;
    }
    if (isMap(node)) this.#tellRepeated(node, way);
    if (node.anchor !== undefined) tell(`Anchors (&${node.anchor}) are not read.`, 'Write the value out.', true);
    if (node.tag !== undefined) tell(`Tags (${node.tag}) are not read.`, 'Remove the tag.', true);
    if (isMap(node)) return this.#valueOfPairs(node.items, way);
    if (isSeq(node)) return node.items.map((item, at) => this.valueOf(item, { above: way, part: at }));
    if (!isScalar(node)) return null;
    const problem = numberProblem(node);
    if (problem !== null) tell(...problem, true);
    const { value } = node;
    return typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number' ? value : null;
  }

  #valueOfPairs(items: readonly Pair[], way: Way): Json {
    // Of a name that stands twice, the last: what is told of it keeps the text from being used.
    return Object.fromEntries(items.map(({ key, value }): readonly [string, Json] => {
      const name = isScalar(key) && typeof key.value === 'string' ? key.value : '';
      const below: Way = isScalar(key) ? { above: way, part: name } : way;
      // Libraries leave this key out without a word; a condition that vanishes would widen its rule.
      if (name === '__proto__') this.#tell(below, '__proto__ cannot be a name.', 'Remove it.', isScalar(key) ? (key.range?.[0] ?? 0) : 0, true);
      this.valueOf(key, below);
      return [name, this.valueOf(value, below)];
    }));
  }

  /** The library compares each name with each other one: a long enough map would hold up the process. */
  #tellRepeated({ items }: YAMLMap, way: Way): void {
    const names = new Set<unknown>();
    for (const { key } of items) {
      const name = isScalar(key) ? key.value : key;
      const text = String(name).slice(0, 40);
      if (names.has(name)) this.#tell({ above: way, part: text }, `Names in a map must be unique: ${text} stands here twice.`, 'Keep one of them.', isScalar(key) ? (key.range?.[0] ?? 0) : 0, true);
      names.add(name);
    }
  }

  #tell(way: Way, message: string, fix: string, offset: number, readable: boolean): void {
    const path: (string | number)[] = [];
    for (let at = way; at; at = at.above) path.unshift(at.part);
    this.found.push({ path, message, fix, offset, readable });
  }
}

function numberProblem({ value, source = '' }: Scalar): readonly [message: string, fix: string] | null {
  if (typeof value !== 'number') return null;
  if (/^[-+]?0\d/.test(source)) return [`${source} would lose its leading zeros.`, `Quote it: "${source}".`];
  return isExact(value, source) ? null : [`${source.slice(0, 40)} cannot be represented exactly.`, 'Quote it, or use fewer digits.'];
}

function isExact(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return false;
  return Number.isInteger(value) ? Number.isSafeInteger(value) : source.replace(/[eE].*$/, '').replaceAll(/[^0-9]/g, '').replace(/^0+/, '').length <= 17;
}
