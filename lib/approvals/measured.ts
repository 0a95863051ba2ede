import type { Json } from '@/lib/shared/json';

import type { HeldAction, HeldAttribute } from './held-action';

/** An effect that an enforcement or information point measured for this very action; undefined when nobody did. */
export function measured(held: HeldAction, name: string): HeldAttribute | undefined {
  const subject = `action:${held.action_id}`;
  let newest: HeldAttribute | undefined;
  for (const attribute of held.attributes) {
    if (attribute.subject !== subject || attribute.name !== name || attribute.unavailable) continue;
    if (!newest || attribute.observed_at > newest.observed_at) newest = attribute;
  }
  return newest;
}

/** How many things the action would touch, as measured; undefined when not known. */
export function measuredCount(held: HeldAction): number | undefined {
  const value: Json | undefined = measured(held, 'effect.count')?.value;
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Whether it can be undone, as measured; undefined when not known, which no caller may take for yes. */
export function measuredReversible(held: HeldAction): boolean | undefined {
  const value: Json | undefined = measured(held, 'effect.reversible')?.value;
  return typeof value === 'boolean' ? value : undefined;
}
