import type { MissingField } from './decision';
import type { PolicySettings } from './policy';
import type { Missing } from './reading';

/** Who may supply a missing field: the sources that the policy lists for an attribute, the orchestrator for the user's words. */
export function suppliersOf(field: string, attribute: string | null, policy: PolicySettings): readonly string[] {
  if (field === 'user_intent' || field === 'request' || field === 'requests') return ['orchestrator'];
  const name = attribute ?? (field === 'target_ownership' ? 'owner' : field.replace(/^attributes\./, ''));
  return policy.information.get(name)?.from ?? [];
}

/** Each field once, by name and subject, with its suppliers. */
export function missingWithSuppliers(missing: readonly Missing[], policy: PolicySettings): readonly MissingField[] {
  const found = new Map<string, MissingField>();
  for (const { field, subject, attribute } of missing) {
    found.set(`${field} ${subject ?? ''}`, {
      field,
      ...(subject === null ? {} : { subject }),
      ...(attribute === null ? {} : { attribute }),
      suppliers: suppliersOf(field, attribute, policy),
    });
  }
  return [...found.keys()].sort().flatMap((key) => found.get(key) ?? []);
}
