import { keyDescriptions } from './key-descriptions';

type Node = Record<string, unknown>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The schema with what each key means beside it. Throws on a description of a key that the schema has not: it was renamed. */
export function describeKeys(schema: object): unknown {
  const root: unknown = JSON.parse(JSON.stringify(schema));
  if (!isNode(root)) throw new Error('A schema is an object.');
  for (const [place, description] of Object.entries(keyDescriptions)) {
    const parts = place.replaceAll('[]', '.[]').split('.');
    const key = parts.pop() ?? '';
    let here: Node | undefined = root;
    for (const part of parts) here = here && stepInto(root, here, part);
    const properties = here?.['properties'];
    const found = isNode(properties) ? properties[key] : undefined;
    if (!isNode(found)) throw new Error(`The schema of policies has no key ${place}.`);
    found['description'] = description;
  }
  return root;
}

function stepInto(root: Node, node: Node, part: string): Node | undefined {
  const properties = node['properties'];
  const next = part === '[]' ? node['items'] : part === '*' ? node['additionalProperties'] : isNode(properties) ? properties[part] : undefined;
  return isNode(next) ? target(root, next) : undefined;
}

function target(root: Node, node: Node): Node | undefined {
  const reference = node['$ref'];
  if (typeof reference !== 'string') return node;
  let here: unknown = root;
  for (const part of reference.replace(/^#\//, '').split('/')) here = isNode(here) ? here[part] : undefined;
  return isNode(here) ? target(root, here) : undefined;
}
