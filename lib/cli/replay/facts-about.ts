import type { Attribute } from '@/lib/pep/sdk/plane-client';
import { parseRecipients } from '@/lib/mediate/parse-recipients';
import { bounds } from '@/lib/shared/bounds';
import type { Json } from '@/lib/shared/json';

import type { KnownWorld } from './known-world';
import type { RecordedCall } from './recorded-trace';

/** Parameters that name who gets something, whatever a catalogue makes of them. */
const addressees = new Set(['recipient', 'recipients', 'participants', 'email', 'cc', 'bcc']);

/** What an information point can say, as the names of attributes. */
export const suppliedAttributes = ['relation', 'file_owner'] as const;

const mostPerCall = bounds.attributesPerCall;

/**
 * What an information point of this deployment says when such a call comes up: how the user stands to each addressee, and
 * whose a file is (or that nobody has it on record). Subjects are references of targets, such as `banking:se35…`, and of recipients.
 * `recipients` are further parameters that name who gets something, as `suite.tool.parameter`.
 */
export function factsAbout(suite: string, { tool, parameters }: RecordedCall, world: KnownWorld, recipients: ReadonlySet<string> = none): readonly Attribute[] {
  const facts = new Map<string, Attribute>();
  for (const [name, value] of Object.entries(parameters)) {
    for (const leaf of texts(value)) {
      const isAddressee = addressees.has(name) || recipients.has(`${suite}.${tool}.${name}`);
      for (const fact of isAddressee ? relations(suite, leaf, world) : name === 'file_id' ? fileOwners(suite, leaf, world) : []) {
        if (facts.size < mostPerCall) facts.set(`${fact.name} ${fact.subject}`, fact);
      }
    }
  }
  return [...facts.values()];
}

const none: ReadonlySet<string> = new Set();

/** Once as the call's target, where it is the only one, and once as one of its recipients. */
function relations(suite: string, leaf: string, world: KnownWorld): readonly Attribute[] {
  const text = leaf.trim().toLowerCase();
  if (text === '' || text.length > 150) return [];
  const ofTarget = { subject: `${suite}:${text}`, name: 'relation', value: relationOf(text, world) };
  return [ofTarget, ...(parseRecipients(leaf) ?? []).map((address) => ({ subject: `recipient:${address}`, name: 'relation', value: relationOf(address, world) }))];
}

function relationOf(value: string, { own, domain, contacts, payees }: KnownWorld): string {
  if (own.has(value)) return 'self';
  if (payees.has(value)) return 'payee';
  if (contacts.has(value)) return 'contact';
  return domain !== null && value.endsWith(`@${domain}`) ? 'colleague' : 'stranger';
}

function fileOwners(suite: string, id: string, { fileOwners: known }: KnownWorld): readonly Attribute[] {
  return id === '' || id.length > 150 ? [] : [{ subject: `${suite}:${id}`, name: 'file_owner', value: known.get(id) ?? { unavailable: true } }];
}

const texts = (value: Json): readonly string[] => (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');
