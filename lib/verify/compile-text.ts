import type { CompiledPolicy } from '@/lib/engine/policy';
import type { Catalogue } from '@/lib/mediate/catalogue';
import { compilePolicy } from '@/lib/policy/compile-policy';
import { parsePolicy } from '@/lib/policy/parse-policy';
import { policyFormats } from '@/lib/policy/read-text';
import type { Sha256 } from '@/lib/shared/encoding';

/** The signature covers the text, not how it is written; each way of reading it is tried, and at most one of them fits. Each text is compiled once. */
export function textCompiler(sha256: Sha256, catalogue: Catalogue): (text: string) => CompiledPolicy | null {
  const compiled = new Map<string, CompiledPolicy | null>();
  return (text) => {
    let policy = compiled.get(text);
    if (policy === undefined) {
      policy = compileAnyFormat(text, sha256, catalogue);
      compiled.set(text, policy);
    }
    return policy;
  };
}

function compileAnyFormat(text: string, sha256: Sha256, catalogue: Catalogue): CompiledPolicy | null {
  for (const format of policyFormats) {
    const parsed = parsePolicy(text, { format, catalogue, sha256 });
    if (parsed.ok) return compilePolicy(parsed.value);
  }
  return null;
}
