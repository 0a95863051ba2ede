import type { z } from 'zod';

import type { Json } from '@/lib/shared/json';
import { fail, ok, type Issue, type Result } from '@/lib/shared/result';
import { parseStrictJson } from '@/lib/shared/strict-json';

/** Bounds of one file and of one of its lines, in UTF-16 code units. */
export const lineBounds = { file: 64 * 1024 * 1024, line: 2 * 1024 * 1024, lines: 20_000, depth: 40, nodes: 50_000 } as const;

const mostIssues = 20;

/**
 * The lines of a JSON Lines text, each by the schema; empty lines count as lines only. Every fault is named with its line (and
 * its column, where the JSON itself is broken), up to twenty. Failures: `too_large`, `invalid_input`.
 */
export function readJsonLines<T>(text: string, schema: z.ZodType<T>): Result<readonly T[]> {
  if (text.length > lineBounds.file) return fail('too_large', `The file is over ${String(lineBounds.file)} characters.`);
  const lines = text.split('\n');
  if (lines.length > lineBounds.lines) return fail('too_large', `The file has over ${String(lineBounds.lines)} lines.`);
  const rows: T[] = [];
  const issues: Issue[] = [];
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const read = readLine(line, schema);
    if (read.ok) rows.push(read.value);
    else issues.push(...read.error.map((issue) => ({ ...issue, line: at + 1 })));
    if (issues.length >= mostIssues) break;
  }
  return issues.length > 0 ? fail('invalid_input', 'The file cannot be read.', { issues: issues.slice(0, mostIssues) }) : ok(rows);
}

function readLine<T>(line: string, schema: z.ZodType<T>): Result<T, readonly Issue[]> {
  const json: Result<Json> = parseStrictJson(line, { depth: lineBounds.depth, nodes: lineBounds.nodes, length: lineBounds.line });
  if (!json.ok) {
    const column = json.error.issues?.[0]?.column;
    return { ok: false, error: [{ path: '', message: json.error.detail, ...(column === undefined ? {} : { column }) }] };
  }
  const parsed = schema.safeParse(json.value);
  if (parsed.success) return ok(parsed.data);
  return { ok: false, error: parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })) };
}
