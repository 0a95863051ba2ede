import { readPolicyFile } from '@/lib/cli/policy-file';
import type { CompiledPolicy } from '@/lib/engine/policy';
import { stockCatalogue } from '@/lib/mediate/stock';
import { compilePolicy } from '@/lib/policy/compile-policy';
import { parsePolicy, type ParsedPolicy } from '@/lib/policy/parse-policy';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { ok, type Result } from '@/lib/shared/result';

/** A policy's file as it was read and as it decides. `policy_invalid`; throws when the file cannot be read. */
export async function loadPolicy(file: string): Promise<Result<{ readonly parsed: ParsedPolicy; readonly policy: CompiledPolicy }>> {
  const read = await readPolicyFile(file);
  if (!read.ok) return read;
  const parsed = parsePolicy(read.value.text, { format: read.value.format, catalogue: stockCatalogue(nodeSha256), sha256: nodeSha256 });
  return parsed.ok ? ok({ parsed: parsed.value, policy: compilePolicy(parsed.value) }) : parsed;
}
