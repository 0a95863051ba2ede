import type { z } from 'zod';

import { nearestNames } from '@/lib/mediate/nearest-names';

import type { Diagnostics, Path } from './diagnostics';

type ZodIssue = z.core.$ZodIssue;

/** What was read and the names that exist, for saying what was meant. */
export type ReadValue = { readonly value: unknown; readonly known: readonly string[] };

/** A message of a schema with its fix, as one text: `addZodIssues` takes the two apart. */
export const withFix = (message: string, fix: string): string => `${message}\n${fix}`;

/** What a schema refused, in words an author can act on; for an unknown key the nearest one that exists. */
export function addZodIssues(issues: readonly ZodIssue[], prefix: Path, read: ReadValue, to: Diagnostics): void {
  for (const issue of issues) {
    const inside = issue.path.filter((part) => typeof part !== 'symbol');
    const path: Path = [...prefix, ...inside];
    switch (issue.code) {
      case 'unrecognized_keys':
        for (const key of issue.keys) {
          const [near] = nearestNames(key, read.known);
          to.add([...path, key], `There is no key ${JSON.stringify(key)} here.`, near === undefined || near === key ? 'Remove it.' : `Did you mean ${near}?`);
        }
        break;
      case 'invalid_union': {
        const nearest = [...issue.errors].sort((a, b) => a.length - b.length || depthOf(b) - depthOf(a))[0] ?? [];
        const value = valueAt(read.value, inside);
        if (nearest.length > 0 && nearest.every((part) => part.path.length > 0)) addZodIssues(nearest, path, { value, known: read.known }, to);
        else to.add(path, 'This has none of the forms that are known here.', formsAt(path));
        break;
      }
      case 'invalid_value': {
        const values = issue.values.map(String);
        const found = valueAt(read.value, inside);
        const [near] = typeof found === 'string' ? nearestNames(found, values) : [];
        const [message, fix] = split(issue.message);
        if (found === undefined) to.add(path, `${nameOf(path)} is missing.`, `Add ${nameOf(path)}: ${values[0] ?? ''}.`);
        else to.add(path, issue.message.startsWith('Invalid') ? `Wanted ${values.length === 1 ? '' : 'one of '}${values.join(', ')}.` : message, fix ?? (near === undefined ? `Write ${values[0] ?? ''}${values.length > 1 ? ', or another of them' : ''}.` : `Did you mean ${near}?`));
        break;
      }
      case 'invalid_type':
        if (valueAt(read.value, inside) === undefined) to.add(path, `${nameOf(path)} is missing.`, `Add ${nameOf(path)}.`);
        else to.add(path, `Wanted ${issue.expected}${issue.message.includes('received') ? `, ${issue.message.replace(/^.*received/, 'got')}` : ''}.`, exampleOf(issue.expected));
        break;
      case 'too_small':
        to.add(path, issue.message, `Give at least ${String(issue.minimum)}.`);
        break;
      case 'too_big':
        to.add(path, issue.message, `Give at most ${String(issue.maximum)}.`);
        break;
      case 'invalid_format':
      case 'not_multiple_of':
      case 'invalid_key':
      case 'invalid_element':
      case 'custom': {
        const [message, fix] = split(issue.message);
        to.add(path, message, fix ?? 'Write it as the message says.');
      }
    }
  }
}

function split(message: string): readonly [message: string, fix: string | undefined] {
  const [first = '', fix] = message.split('\n');
  return [first, fix];
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, part) => (typeof inner === 'object' && inner !== null && Object.hasOwn(inner, part) ? Reflect.get(inner, part) : undefined), value);
}

const nameOf = (path: Path): string => String(path.findLast((part) => typeof part === 'string') ?? 'This');

function exampleOf(expected: string): string {
  switch (expected) {
    case 'array':
      return 'Write a list: [a, b].';
    case 'object':
    case 'record':
      return 'Write names with values: { name: value }.';
    case 'boolean':
      return 'Write true or false.';
    case 'string':
      return 'Write a text; quote it when it looks like a number or another value.';
    case 'int':
    case 'number':
      return 'Write a number without quotes.';
    default:
      return `Write ${expected}.`;
  }
}

const formsAt = (path: Path): string =>
  path.includes('modify') ? 'A change is one of set, cap, redact, drop, restrict, add_filter: { cap: parameters.limit, at: 100 }.' : 'Write a name, or a list of names: [a, b].';

const depthOf = (issues: readonly ZodIssue[]): number => Math.max(0, ...issues.map((issue) => issue.path.length));
