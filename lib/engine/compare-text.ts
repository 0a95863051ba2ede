import type { ParameterRole } from '@/lib/mediate/catalogue';

/**
 * Equality as the role of a value means it. A program is named by its leading words (`git log` names `git log --oneline`),
 * addresses and tables do not depend on case. `cautious` is set where a match would make the answer more permissive: then
 * `/tmp/git` is not `git`, `other.customers` is not `customers`, and `/Data` is not `/data`. Otherwise it may be: many volumes
 * do not tell case apart, and a denial that only holds for one spelling holds for none there.
 */
export function isSameText(value: string, wanted: string, role: ParameterRole | null, cautious: boolean): boolean {
  switch (role) {
    case 'command':
      return startsWithWords(value, wanted) || (!cautious && startsWithWords(folded(withoutFolder(value)), folded(wanted)));
    case 'recipients':
      return value.toLowerCase() === wanted.toLowerCase();
    case 'query': {
      const [table, name] = [value.toLowerCase(), wanted.toLowerCase()];
      return table === name || (!cautious && table.endsWith(`.${name}`));
    }
    case 'path':
      return value === wanted || (!cautious && folded(value) === folded(wanted));
    case 'url':
    case 'target':
    case 'amount':
    case null:
      return value === wanted;
    default:
      return value === wanted;
  }
}

/** A prefix that ends where a part ends, so that `/data/project` does not begin `/data/project-old`. */
export function isPrefix(value: string, prefix: string, role: ParameterRole | null, cautious: boolean): boolean {
  switch (role) {
    case 'command':
      return isSameText(value, prefix, role, cautious);
    case 'path':
      return isWithinPath(value, prefix, cautious);
    case 'url':
      return value.startsWith(prefix) && (prefix.endsWith('/') || value.length === prefix.length || /^[/?#]/.test(value.slice(prefix.length)));
    case 'recipients':
      return value.toLowerCase().startsWith(prefix.toLowerCase());
    case 'query':
    case 'target':
    case 'amount':
    case null:
      return value.startsWith(prefix);
    default:
      return value.startsWith(prefix);
  }
}

/** The folder itself or anything below it; in any case, unless that would allow more. */
export function isWithinPath(path: string, folder: string, cautious: boolean): boolean {
  if (!cautious && isWithinPath(folded(path), folded(folder), true)) return true;
  const parent = folder.length > 1 && folder.endsWith('/') ? folder.slice(0, -1) : folder;
  if (path === parent) return true;
  return path.startsWith(parent === '/' ? '/' : `${parent}/`);
}

/** As volumes that do not tell case apart compare names: `ſ` is an s there, which lower case alone leaves as it is. */
const folded = (text: string): string => text.toUpperCase().toLowerCase().normalize('NFC');

const startsWithWords = (line: string, words: string): boolean => line === words || line.startsWith(`${words} `);

function withoutFolder(line: string): string {
  const end = line.indexOf(' ');
  const program = end < 0 ? line : line.slice(0, end);
  return program.slice(program.lastIndexOf('/') + 1).replace(/\.(?:exe|com|bat|cmd)$/i, '') + (end < 0 ? '' : line.slice(end));
}
