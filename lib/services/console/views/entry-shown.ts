import type { Roster } from '@/lib/authority/roster';
import type { ContextEntry } from '@/lib/context/entry';
import type { SessionDetail } from '@/lib/contracts/console/receipts';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { PersonId } from '@/lib/shared/ids';

type EntryShown = Omit<SessionDetail['entries'][number], 'seq'>;

/** A step of a session's context in a few words of its own. `untrusted`: nobody vouched for the text. `roster`: the verified one in force, which gives names. */
export function entryShown(entry: ContextEntry, roster: Pick<Roster, 'people'> | undefined): EntryShown {
  const nameOf = (person: PersonId): string => roster?.people.find(({ id }) => id === person)?.name ?? person;
  const base = { kind: entry.kind, at: entry.at };
  switch (entry.kind) {
    case 'request':
      return { ...base, text: entry.text, untrusted: entry.assurance === 'same_host', labels: [] };
    case 'permit':
      return { ...base, text: `${entry.tool}.${entry.operation}`, untrusted: false, labels: entry.labels };
    case 'outcome':
      return { ...base, text: entry.output === '' ? entry.status : entry.output, untrusted: !entry.trusted, labels: entry.labels };
    case 'attribute':
      return { ...base, text: `${entry.subject} ${entry.name} = ${entry.unavailable ? 'unavailable' : canonicalJson(entry.value)} (${entry.source}${entry.person === undefined ? '' : `, signed by ${nameOf(entry.person)}`})`, untrusted: false, labels: [] };
    case 'lowering':
      return { ...base, text: `${entry.label} ${entry.to === null ? 'taken away' : `lowered to ${entry.to}`} by ${nameOf(entry.person)}`, untrusted: false, labels: entry.to === null ? [] : [entry.to] };
    case 'person_value':
      return { ...base, text: canonicalJson(entry.value), untrusted: false, labels: [] };
    case 'inherited':
      return { ...base, text: `goes on from ${entry.parent}, step ${String(entry.parent_seq)}`, untrusted: false, labels: [] };
    case 'delegation':
      return { ...base, text: `${entry.child} ${entry.event}`, untrusted: false, labels: [] };
  }
}
