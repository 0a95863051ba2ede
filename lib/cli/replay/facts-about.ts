import type { Attribute } from '@/lib/pep/sdk/plane-client';
import type { Json } from '@/lib/shared/json';

import type { KnownWorld } from './known-world';
import type { RecordedCall } from './recorded-trace';

/** Parameters that name who gets something. */
const addressees = new Set(['recipient', 'recipients', 'participants', 'email', 'cc', 'bcc']);

/** What an information point can say, as the names of attributes. */
export const suppliedAttributes = ['relation', 'file_owner'] as const;

const mostPerCall = 50;

/**
 * What an information point of this deployment says when such a call comes up: how the user stands to each addressee, and
 * whose a file is (or that nobody has it on record). Subjects are references of targets, such as `banking:se35…`.
 */
export function factsAbout(suite: string, { parameters }: RecordedCall, world: KnownWorld): readonly Attribute[] {
  const facts = new Map<string, Attribute>();
  for (const [name, value] of Object.entries(parameters)) {
    for (const leaf of texts(value)) {
      const fact = addressees.has(name) ? relation(suite, leaf, world) : name === 'file_id' ? fileOwner(suite, leaf, world) : null;
      if (fact && facts.size < mostPerCall) facts.set(`${fact.name} ${fact.subject}`, fact);
    }
  }
  return [...facts.values()];
}

function relation(suite: string, leaf: string, world: KnownWorld): Attribute | null {
  const value = leaf.trim().toLowerCase();
  if (value === '' || value.length > 150) return null;
  return { subject: `${suite}:${value}`, name: 'relation', value: relationOf(value, world) };
}

function relationOf(value: string, { own, domain, contacts, payees }: KnownWorld): string {
  if (own.has(value)) return 'self';
  if (payees.has(value)) return 'payee';
  if (contacts.has(value)) return 'contact';
  return domain !== null && value.endsWith(`@${domain}`) ? 'colleague' : 'stranger';
}

function fileOwner(suite: string, id: string, { fileOwners }: KnownWorld): Attribute | null {
  if (id === '' || id.length > 150) return null;
  return { subject: `${suite}:${id}`, name: 'file_owner', value: fileOwners.get(id) ?? { unavailable: true } };
}

const texts = (value: Json): readonly string[] => (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');
