import { isSeq, LineCounter, parseDocument, stringify } from 'yaml';
import { z } from 'zod';

import type { JsonObject } from '@/lib/shared/json';
import { fail, ok, type Result } from '@/lib/shared/result';

import { policyBlocks } from './policy-blocks';
import type { PolicyFormat } from './read-text';

/**
 * The text with one more rule behind its last one; every other byte stays as it was, comments and prose too, so that people see one change and
 * nothing besides. `invalid_input`: the rules are not written as a list of lines (JSON, flow style, or there are none yet).
 */
export function addRule(text: string, format: PolicyFormat, rule: JsonObject): Result<string> {
  const yaml = format === 'yaml' ? text : format === 'markdown' ? policyBlocks(text).yaml : null;
  if (yaml === null) return notALine();
  const places = new LineCounter();
  const rules = parseDocument(yaml, { lineCounter: places, keepSourceTokens: false, prettyErrors: false }).get('rules', true);
  const last = isSeq(rules) && rules.flow !== true ? rules.items.at(-1) : undefined;
  const [from, to] = [rangeOf(rules)?.[0], rangeOf(last)?.[1]];
  if (from === undefined || to === undefined) return notALine();
  // In Markdown the lines of the blocks stand where they stand in the text, so a line number says where to write.
  const end = places.linePos(Math.max(from, to - 1)).line;
  const indent = ' '.repeat(places.linePos(from).col - 1);
  const added = stringify([rule], { lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' }).trimEnd().split('\n').map((line) => `${indent}${line}`);
  const lines = text.split('\n');
  return ok([...lines.slice(0, end), ...added, ...lines.slice(end)].join('\n'));
}

const notALine = () => fail('invalid_input', 'The rules of this policy are not written one after another in lines, so none can be added without writing the text anew.', { fix: 'Write the rule in the editor.' });

const range = z.object({ range: z.tuple([z.number(), z.number()]).rest(z.number()) });

/** Where a node stands; what is no node stands nowhere. */
function rangeOf(node: unknown): readonly number[] | undefined {
  const read = range.safeParse(node);
  return read.success ? read.data.range : undefined;
}
