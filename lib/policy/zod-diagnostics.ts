import type { z } from 'zod';

import { nearestNames } from '@/lib/mediate/nearest-names';

import type { Diagnostics, Path } from './diagnostics';

type ZodIssue = z.core.$ZodIssue;

/** What a schema refused, in words an author can act on; for an unknown key the nearest one that exists. */
export function addZodIssues(issues: readonly ZodIssue[], prefix: Path, known: readonly string[], to: Diagnostics): void {
  for (const issue of issues) {
    const path: Path = [...prefix, ...issue.path.filter((part) => typeof part !== 'symbol')];
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) {
        const [near] = nearestNames(key, known);
        to.add([...path, key], `There is no key ${JSON.stringify(key)} here.`, near === undefined ? 'Remove it.' : `Did you mean ${near}?`);
      }
    } else if (issue.code === 'invalid_union') {
      const nearest = [...issue.errors].sort((a, b) => a.length - b.length || depthOf(b) - depthOf(a))[0] ?? [];
      if (nearest.length > 0 && nearest.every((part) => part.path.length > 0)) addZodIssues(nearest, path, known, to);
      else to.add(path, 'This has none of the forms that are known here.');
    } else if (issue.code === 'invalid_value') {
      const values = issue.values.map(String);
      to.add(path, issue.message.startsWith('Invalid') ? `Wanted ${values.length === 1 ? '' : 'one of '}${values.join(', ')}.` : issue.message);
    } else if (issue.code === 'invalid_type') {
      to.add(path, `Wanted ${issue.expected}${issue.message.includes('received') ? `, ${issue.message.replace(/^.*received/, 'got')}` : ''}.`);
    } else to.add(path, issue.message);
  }
}

const depthOf = (issues: readonly ZodIssue[]): number => Math.max(0, ...issues.map((issue) => issue.path.length));
