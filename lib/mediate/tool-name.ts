import { bounds } from '@/lib/shared/bounds';

/**
 * What is wrong with the name of a tool or operation; undefined when nothing is. Names are visible ASCII without
 * spaces, so that no two of them look alike; a tool of an MCP server is `mcp:<server>`.
 */
export function toolNameFault(name: string): string | undefined {
  if (name.length > bounds.nameLength) return 'The name is too long.';
  if (!/^[A-Za-z0-9_](?:[A-Za-z0-9_:./-]*[A-Za-z0-9_])?$/.test(name)) return `${JSON.stringify(name)} is no name: letters, digits, _ - : . / only.`;
  return undefined;
}
