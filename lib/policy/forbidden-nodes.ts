import { isMap, isPair, isScalar, isSeq, visit, type Document, type Scalar, type YAMLMap } from 'yaml';

import type { Path } from './diagnostics';

/** Something that YAML allows and a policy does not. `readable`: the rest of the text keeps its meaning without it. */
export type ForbiddenNode = { readonly path: Path; readonly message: string; readonly fix: string; readonly offset: number; readonly readable: boolean };

/** Anchors, aliases, tags, repeated names and numbers that would change when read. */
export function forbiddenNodes(document: Document.Parsed): readonly ForbiddenNode[] {
  const found: ForbiddenNode[] = [];
  visit(document, {
    Pair: (_, pair, above) => {
      // Libraries leave this key out without a word; a condition that vanishes would widen its rule.
      if (isScalar(pair.key) && pair.key.value === '__proto__') {
        found.push({ path: pathOf([...above, pair]), message: '__proto__ cannot be a name.', fix: 'Remove it.', offset: pair.key.range?.[0] ?? 0, readable: true });
      }
    },
    Alias: (_, node, above) => {
      found.push({ path: pathOf([...above, node]), message: `Aliases (*${node.source}) are not read.`, fix: 'Write the value out.', offset: node.range?.[0] ?? 0, readable: false });
    },
    Node: (_, node, above) => {
      const here = (message: string, fix: string, readable: boolean): void => void found.push({ path: pathOf([...above, node]), message, fix, offset: node.range?.[0] ?? 0, readable });
      if (isMap(node)) found.push(...repeatedNames(node, pathOf([...above, node])));
      if ('anchor' in node && node.anchor !== undefined) here(`Anchors (&${node.anchor}) are not read.`, 'Write the value out.', true);
      if (node.tag !== undefined) here(`Tags (${node.tag}) are not read.`, 'Remove the tag.', true);
      if (isScalar(node) && typeof node.value === 'number') {
        const problem = numberProblem(node);
        if (problem !== null) here(...problem, true);
      }
    },
  });
  return found;
}

function numberProblem({ value, source = '' }: Scalar): readonly [message: string, fix: string] | null {
  if (/^[-+]?0\d/.test(source)) return [`${source} would lose its leading zeros.`, `Quote it: "${source}".`];
  return typeof value === 'number' && !isExact(value, source) ? [`${source.slice(0, 40)} cannot be represented exactly.`, 'Quote it, or use fewer digits.'] : null;
}

function isExact(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return false;
  return Number.isInteger(value) ? Number.isSafeInteger(value) : source.replace(/[eE].*$/, '').replaceAll(/[^0-9]/g, '').replace(/^0+/, '').length <= 17;
}

/** The library compares each name with each other one: a long enough map would hold up the process. */
function repeatedNames(map: YAMLMap, path: Path): readonly ForbiddenNode[] {
  const names = new Set<unknown>();
  return map.items.flatMap(({ key }) => {
    const name = isScalar(key) ? key.value : key;
    const twice = names.has(name);
    names.add(name);
    const offset = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
    const text = String(name).slice(0, 40);
    return twice ? [{ path: [...path, text], message: `Names in a map must be unique: ${text} stands here twice.`, fix: 'Keep one of them.', offset, readable: true }] : [];
  });
}

/** Names and positions on the way down to the last of the nodes. */
function pathOf(nodes: readonly unknown[]): Path {
  const path: (string | number)[] = [];
  nodes.forEach((node, i) => {
    const above = nodes[i - 1];
    if (isPair(node) && isScalar(node.key)) path.push(String(node.key.value));
    else if (isSeq(above)) path.push(Math.max(0, above.items.indexOf(node)));
  });
  return path;
}
