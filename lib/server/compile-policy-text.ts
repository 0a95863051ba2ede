import { stockCatalogue } from '@/lib/mediate/stock';
import { compilePolicy } from '@/lib/policy/compile-policy';
import { parsePolicy } from '@/lib/policy/parse-policy';
import type { CompilePolicy } from '@/lib/services/in-force';
import { ok } from '@/lib/shared/result';

import { nodeSha256 } from './node-sha256';

const catalogue = stockCatalogue(nodeSha256);

/** Parses and compiles a policy's text against the stock catalogue of this version. */
export const compilePolicyText: CompilePolicy = (text, format) => {
  const parsed = parsePolicy(text, { format, catalogue, sha256: nodeSha256 });
  return parsed.ok ? ok(compilePolicy(parsed.value)) : parsed;
};
