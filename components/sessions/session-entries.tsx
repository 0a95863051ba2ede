import { PersonQuote, UnverifiedQuote } from '@/components/ui/quote';
import { Section } from '@/components/ui/section';
import { Tag } from '@/components/ui/meter';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import type { SessionDetail } from '@/lib/contracts/console/receipts';

/** What the session has accumulated, oldest first. Text that nobody vouched for stands on hatch. */
export function SessionEntries({ entries }: Pick<SessionDetail, 'entries'>) {
  return (
    <Section title="Context" note={`${entries.length} entries, oldest first`}>
      {entries.length === 0 ? <p className="meta2">Nothing was recorded yet.</p> : (
        <ol>
          {entries.map((entry) => (
            <li key={entry.seq} className="mt-4">
              <p className="meta">{entry.seq}. {entry.kind.replaceAll('_', ' ')}, <Time at={entry.at} form="clock" /> {entry.labels.map((label) => <Tag key={label}>{label}</Tag>)}</p>
              {entry.text === '' ? null : entry.untrusted ? <UnverifiedQuote by={entry.kind.replaceAll('_', ' ')} text={entry.text} /> : entry.kind === 'message' || entry.kind === 'request' ? <PersonQuote by="The person" text={entry.text} /> : <p className="mt-1"><code><UntrustedText text={entry.text} /></code></p>}
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}
