import { parseEnvelope, type Envelope } from '@/lib/shared/dsse';

/** The envelopes of a roster that waits, as a row keeps them. What cannot be read was never signed. */
export function keptRoster(text: string): { readonly roster?: Envelope; readonly countersigned?: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return {};
  }
  if (typeof value !== 'object' || value === null) return {};
  const roster = 'roster' in value && typeof value.roster === 'string' ? parseEnvelope(value.roster) : undefined;
  const countersigned = 'countersigned' in value && typeof value.countersigned === 'string' ? value.countersigned : undefined;
  return { ...(roster?.ok && { roster: roster.value }), ...(countersigned !== undefined && { countersigned }) };
}
