import { byPriority } from '@/lib/engine/by-priority';
import type { CompiledPolicy, OperationRules } from '@/lib/engine/policy';
import type { Rule } from '@/lib/engine/rule';

import { indexRules } from './index-rules';
import type { ParsedPolicy } from './parse-policy';

/** Indexes the rules by tool and operation, and by what else they insist on, so that deciding never looks at a rule that cannot apply. */
export function compilePolicy(parsed: Pick<ParsedPolicy, 'settings' | 'catalogue' | 'rules' | 'digest' | 'tables'>): CompiledPolicy {
  const rules = [...parsed.rules].sort(byPriority);
  const lists = new Map<string, Rule[]>();
  for (const key of parsed.catalogue.entries.keys()) lists.set(key, []);
  for (const rule of rules) for (const key of rule.keys) lists.get(key)?.push(rule);
  const index = new Map<string, OperationRules>();
  for (const [key, entry] of parsed.catalogue.entries) index.set(key, indexRules(lists.get(key) ?? [], entry));
  return { ...parsed.settings, digest: parsed.digest, catalogue: parsed.catalogue, rules, index, tables: parsed.tables.map(({ digest, name, version }) => ({ digest, name, version })) };
}
