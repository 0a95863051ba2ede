import { Button } from '@/components/ui/button';
import { Digest } from '@/components/ui/digest';
import { Section } from '@/components/ui/section';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import type { Failure } from '@/lib/client/verify-messages';
import { isDigest } from '@/lib/shared/ids';

import { kindWords } from './verdict-words';

/** The first thing that does not hold: where, what was expected, what was found, and what to distrust. */
export function FailedCheck({ failure, onOpen }: { readonly failure: Failure; readonly onOpen: (index: number) => void }) {
  const { check, at, line, expected, found, distrust } = failure;
  return (
    <Section title={at === null ? 'The file as a whole does not hold' : `First bad receipt: ${at.toLocaleString('en')}`} className="failed" note={line === null ? undefined : <Button small onClick={() => onOpen(line.index)}>Open it</Button>}>
      <dl className="compared">
        {expected === check.title ? null : <div><dt>Check</dt><dd>{check.title}</dd></div>}
        {at !== null && line === null ? <div><dt>Receipt</dt><dd>The file has none at this position.</dd></div> : null}
        {line === null ? null : (
          <div>
            <dt>Receipt</dt>
            <dd>{line.kind === null ? 'cannot be read' : kindWords(line.kind)}{line.operation === null ? null : <> <code><UntrustedText text={line.operation} /></code></>}{line.at === null ? null : <>, <Time at={line.at} form="date" /></>}</dd>
          </div>
        )}
        <div><dt>Expected</dt><dd><Value text={expected} /></dd></div>
        <div><dt>Found</dt><dd className="bad"><Value text={found} /></dd></div>
        <div><dt>Advice</dt><dd><b>{distrust}</b></dd></div>
      </dl>
    </Section>
  );
}

const Value = ({ text }: { readonly text: string }) => (isDigest(text) ? <Digest value={text} /> : <UntrustedText text={text} />);
