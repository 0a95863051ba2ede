import type { CanonicalAction } from '@/lib/mediate/action';
import type { ParameterRole } from '@/lib/mediate/catalogue';

import { showsContent } from './permit-labels';

/**
 * Resources outlive a session. Their names: `database:orders`, `files:/srv/a.txt` (whatever tool names the path),
 * `host:paste.example`, `email@mia@corp.example` (a mailbox), `email:*` (something of that tool, nobody knows what). Two spellings of one
 * thing must not keep its labels apart, so names go without case, and where in doubt one name stands for more.
 */
const mostNames = 100;
const longestName = 400;

/** What the action may write to. Nothing for what only reads or only takes away. */
export function resourcesWritten(action: CanonicalAction, human: string): readonly string[] {
  const { facts } = action;
  const brings = facts.effects.some((effect) => effect !== 'read' && effect !== 'destructive');
  // An opaque argument may do what its operation does not say.
  if (!brings && facts.opaque.length === 0) return [];
  const tool = toolName(action);
  const named = [...thingsOf(action), ...facts.recipients.map((address) => mailbox(tool, address))];
  // What is sent stays with the sender too.
  if (facts.recipients.length > 0) named.push(mailbox(tool, human));
  const nameless = named.length === 0 || facts.opaque.length > 0;
  return bounded([...named, ...(nameless ? [`${tool}:*`] : []), ...(hasOpaqueCommand(action) ? ['files:*'] : [])], [`${tool}:*`, 'files:*', 'host:*']);
}

/** What the action's outcome may show. */
export function resourcesRead(action: CanonicalAction, human: string): readonly string[] {
  if (!showsContent(action) && !action.entry.trusted) return [];
  const tool = toolName(action);
  const named = [...thingsOf(action), ...operandsOf(action)];
  const nameless = named.length === 0 || action.facts.opaque.length > 0;
  const everything = [...(nameless ? [`${tool}:**`] : []), ...(hasOpaqueCommand(action) ? ['files:**'] : [])];
  return bounded([...named, ...everything, mailbox(tool, human)], [`${tool}:**`, 'files:**', 'host:**']);
}

/** Under which keys a written resource is found again: its own, and `…**` for each thing that it is part of. */
export function keysOfWritten(resource: string): readonly string[] {
  const { tool, value } = split(resource);
  if (value === undefined) return [resource];
  const keys = [resource, `${tool}:**`, ...ancestors(value).map((folder) => `${tool}:${folder}/**`)];
  // Where a relative path starts nobody knows: its last name finds it.
  if (tool === 'files' && value !== '*') keys.push(`files${value.startsWith('/') ? '=' : '~'}${lastName(value)}`);
  return [...new Set(keys)];
}

/** Under which keys what may be in a resource was written: its own, what it is part of, what is part of it, and what nobody named. */
export function keysOfRead(resource: string): readonly string[] {
  const { tool, value } = split(resource);
  if (value === undefined || value === '**') return [resource];
  if (tool === 'files' && value === '.') return ['files:**'];
  const keys = [resource, `${tool}:*`, `${tool}:${value.replace(/\/$/, '')}/**`, ...ancestors(value).map((folder) => `${tool}:${folder === '' ? '/' : folder}`)];
  if (tool === 'files') keys.push(`files~${lastName(value)}`, ...(value.startsWith('/') ? [] : [`files=${lastName(value)}`]));
  return [...new Set(keys)];
}

/** All that a resource is one of: `files:**` for a file, a mailbox for itself. */
export function wholeOf(resource: string): string {
  const { tool, value } = split(resource);
  return value === undefined ? resource : `${tool}:**`;
}

/** What a session's children leave for it. */
export const delegatedTo = (session: string): string => `session@${session}`;

/** What any session of a family has seen, by the first one: the agent that reads in one of them can speak in another. */
export const seenByFamily = (root: string): string => `family@${root}`;

const mailbox = (tool: string, address: string): string => `${tool}@${address.toLowerCase()}`;

const toolName = ({ tool }: CanonicalAction): string => tool.replaceAll(':', '.');

function split(resource: string): { readonly tool: string; readonly value?: string } {
  const colon = resource.indexOf(':');
  return colon < 0 ? { tool: resource } : { tool: resource.slice(0, colon), value: resource.slice(colon + 1) };
}

/** `/srv/a/b` is in `/srv/a`, `/srv` and the root, which is the empty text. */
function ancestors(value: string): readonly string[] {
  const found: string[] = [];
  for (let at = value.lastIndexOf('/', value.length - 2); at >= 0; at = at === 0 ? -1 : value.lastIndexOf('/', at - 1)) found.push(value.slice(0, at));
  return found;
}

const lastName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Tables, paths, hosts and targets. */
function thingsOf(action: CanonicalAction): readonly string[] {
  const { facts } = action;
  const tool = toolName(action);
  const targets = facts.target !== undefined && has(action, 'target') ? [facts.target.slice(action.tool.length + 1)] : [];
  return [
    ...[...facts.tables, ...targets].flatMap((name) => namesOf(name.toLowerCase())).map((name) => `${tool}:${name}`),
    ...facts.paths.map((path) => `files:${path.toLowerCase()}`),
    ...facts.urls.map(({ host }) => `host:${host.toLowerCase()}`),
  ];
}

/** Longest word of a command that may be the name of a file. */
const longestOperand = 300;

/**
 * Words of a command that may name files, whatever the program: `grep x notes.txt`, `git show HEAD:notes.txt`, `curl -d @notes.txt`. For
 * permissions only known ones count as paths; for where labels come from, a word too many costs nothing.
 */
const operandsOf = ({ facts }: CanonicalAction): readonly string[] =>
  facts.programs.flatMap((program) => program.arguments).flatMap((word) => {
    const name = word.slice(Math.max(word.lastIndexOf(':'), word.lastIndexOf('='), word.startsWith('@') ? 0 : -1) + 1).toLowerCase();
    return name.length === 0 || name.length > longestOperand || name.startsWith('-') || /[\s*?]/.test(name) ? [] : [`files:${name}`];
  });

/** `sales.orders` may be meant by `orders` alone. */
function namesOf(name: string): readonly string[] {
  const last = /^[a-z_][\w$]*(?:\.[a-z_][\w$]*)*\.([a-z_][\w$]*)$/.exec(name)?.[1];
  return last === undefined ? [name] : [name, last];
}

const has = ({ entry, parameters }: CanonicalAction, role: ParameterRole): boolean =>
  Object.keys(entry.parameters).some((name) => entry.parameters[name]?.role === role && Object.hasOwn(parameters, name));

const hasOpaqueCommand = ({ entry, facts }: CanonicalAction): boolean => facts.opaque.some((name) => entry.parameters[name]?.role === 'command');

/** What is too long to be an index's key is named by its beginning. Control characters name nothing. */
const shortened = (name: string): string => name.replace(/\p{Cc}/gu, '').slice(0, longestName).replace(/[\ud800-\udbff]$/, '');

/** More than anybody lists one by one also stands for everything. */
function bounded(names: readonly string[], everything: readonly string[]): readonly string[] {
  const distinct = [...new Set(names.map(shortened))];
  return (distinct.length <= mostNames ? distinct : [...new Set([...distinct.slice(0, mostNames), ...everything])]).sort();
}
