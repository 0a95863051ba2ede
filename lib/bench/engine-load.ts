import v8 from 'node:v8';
import vm from 'node:vm';

import type { CompiledPolicy } from '@/lib/engine/policy';
import { stockCatalogue } from '@/lib/mediate/stock';
import { compilePolicy } from '@/lib/policy/compile-policy';
import { parsePolicy, type ParsedPolicy } from '@/lib/policy/parse-policy';
import { nodeSha256 } from '@/lib/server/node-sha256';

import { msOf, rounded } from './engine-clock';

export const stock = stockCatalogue(nodeSha256);

/** A policy of these rules and nothing else. */
export const policyAround = (rules: string): string => `schema: countersign/policy/v1
id: bench
use: stock@1 sha256:${stock.digest}
directory: { internal_domains: [harbor.example] }
rules:
${rules}`;

function parse(text: string): ParsedPolicy {
  const parsed = parsePolicy(text, { catalogue: stock, sha256: nodeSha256 });
  if (!parsed.ok) throw new Error(`The policy does not load: ${JSON.stringify(parsed.error.issues?.[0])}`);
  return parsed.value;
}

export const loadPolicy = (text: string): CompiledPolicy => compilePolicy(parse(text));

export type LoadFigures = { readonly bytes: number; readonly parse_ms: number; readonly compile_ms: number; readonly memory_mb: number };

/** From bytes to rules, from rules to the index, and what the result holds on to. */
export function benchLoad(text: string): LoadFigures {
  let parsed: ParsedPolicy | null = null;
  let compiled: CompiledPolicy | null = null;
  const before = heapMegabytes();
  const parse_ms = msOf(() => (parsed = parse(text)));
  const compile_ms = msOf(() => (compiled = parsed && compilePolicy(parsed)));
  parsed = null;
  const after = heapMegabytes();
  if (!compiled) throw new Error('The policy was not compiled.');
  return { bytes: text.length, parse_ms: rounded(parse_ms), compile_ms: rounded(compile_ms), memory_mb: rounded(after - before) };
}

/** After a full collection, so that only what is held counts. */
export function heapMegabytes(): number {
  v8.setFlagsFromString('--expose-gc');
  vm.runInNewContext('gc()');
  return process.memoryUsage().heapUsed / 1024 / 1024;
}
