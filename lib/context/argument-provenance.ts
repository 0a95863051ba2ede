import type { CanonicalAction } from '@/lib/mediate/action';
import { parseRecipients } from '@/lib/mediate/parse-recipients';

import type { ArgumentProvenance } from './snapshot';
import { eachLeaf, least, type Sighting, type ValueIndex } from './value-index';

/**
 * Where each leaf of the action's arguments came from. `byPolicy` are paths that the policy set itself. When there are
 * more leaves than anyone could check, one further entry says that the rest came from nowhere.
 */
export function argumentProvenance(action: CanonicalAction, values: ValueIndex, byPolicy: ReadonlySet<string>): readonly ArgumentProvenance[] {
  const found: ArgumentProvenance[] = [];
  const complete = eachLeaf(action.parameters, '', (leaf, path) => {
    if (byPolicy.has(path)) {
      found.push({ path, source: 'policy' });
      return;
    }
    const sighting = values.find(leaf, path) ?? findAddresses(action, values, leaf, path);
    found.push(sighting ? { path, seq: sighting.seq, source: sighting.source, where: sighting.where } : { path, source: 'nowhere' });
  });
  if (!complete) for (const name of Object.keys(action.parameters)) found.push({ path: name, source: 'nowhere' });
  return found;
}

/** `Bob <bob@corp.example>` where only the address was seen: the address is what counts. */
function findAddresses(action: CanonicalAction, values: ValueIndex, leaf: string | number | boolean | null, path: string): Sighting | undefined {
  const name = /^[^.[]*/.exec(path)?.[0] ?? path;
  const spec = Object.hasOwn(action.entry.parameters, name) ? action.entry.parameters[name] : undefined;
  if (spec?.role !== 'recipients' || typeof leaf !== 'string') return undefined;
  const addresses = parseRecipients(leaf);
  // It was looked up already when it is nothing but one address.
  if (!addresses || (addresses.length === 1 && addresses[0] === leaf)) return undefined;
  const found = addresses.map((address) => values.find(address, path));
  return found.every((one) => one !== undefined) ? least(found) : undefined;
}
