'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { Button } from '@/components/ui/button';
import { Meter, Tag } from '@/components/ui/meter';
import { ErrorState, LoadingRows } from '@/components/ui/pane-states';
import { Section } from '@/components/ui/section';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { shownFault } from '@/lib/client/parse-answer';
import { sessionLabelsQuery } from '@/lib/client/queries';
import { levelRank } from '@/lib/context/label-ledger';
import type { LabelOrigin, LabelWithOrigins } from '@/lib/context/label-origins';
import type { SessionLabelsView } from '@/lib/contracts/console/labels';
import type { PersonId } from '@/lib/shared/ids';

import { canBeLowered, LowerDialog } from './lower-dialog';

/** What the session has seen, as labels, where each came from, and the way to lower one. */
export function SessionLabels({ id, person }: { readonly id: string; readonly person: PersonId }) {
  const { data, error, refetch } = useQuery(sessionLabelsQuery(id));
  const [lowering, setLowering] = useState<{ readonly view: SessionLabelsView; readonly label: string } | null>(null);
  if (data === undefined) {
    return (
      <Section title="Labels">
        {error === null ? <LoadingRows what="labels" rows={2} /> : <ErrorState title="The labels could not be read." code={shownFault(error).code} action={<Button small onClick={() => void refetch()}>Read again</Button>}>{shownFault(error).detail}</ErrorState>}
      </Section>
    );
  }
  const { labels, obstacle } = data;
  return (
    <Section title="Labels" note="They only rise, unless an owner signs to lower one">
      {labels.length === 0 ? <p className="meta2">It has seen nothing that carries a label.</p> : (
        <>
          <Meter label="Highest classification" reached={labels.find(({ label }) => levelRank(label) >= 0)?.label ?? null} />
          <table className="missing">
            <caption className="vh">Labels of this session and where each came from</caption>
            <thead><tr><th scope="col">Label</th><th scope="col">Where it came from</th><th scope="col"><span className="vh">Action</span></th></tr></thead>
            <tbody>
              {labels.map((one) => (
                <tr key={one.label}>
                  <th scope="row"><Tag>{one.label}</Tag></th>
                  <td><Origins label={one} /></td>
                  <td>
                    {obstacle !== null || !canBeLowered(one.label) ? null : (
                      <Button small onClick={() => setLowering({ view: data, label: one.label })} offBecause={one.open ? 'In use' : undefined} aria-label={one.open ? `${one.label} cannot be lowered while an action that carries it is out` : `Lower ${one.label}`}>Lower</Button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
      {obstacle === null || labels.length === 0 ? null : <p className="meta2 mt-3">{obstacle}</p>}
      {lowering === null ? null : <LowerDialog view={lowering.view} label={lowering.label} person={person} onClose={() => setLowering(null)} />}
    </Section>
  );
}

const mostShown = 3;

/** The first, and the latest of the rest: what began it, and what would bring it back. */
function Origins({ label: { origins, open } }: { readonly label: LabelWithOrigins }) {
  const shown = origins.length <= mostShown ? origins : [...origins.slice(0, 1), ...origins.slice(1 - mostShown)];
  return (
    <>
      {shown.length === 0 ? 'Stands for more tags than are kept' : shown.map((origin) => (
        <span className="supplier" key={`${String(origin.seq)} ${origin.how}`}>
          {words[origin.how]} <code><UntrustedText text={origin.where} /></code> <span className="t3">step {origin.seq}, <Time at={origin.at} form="clock" /></span>
        </span>
      ))}
      {origins.length > shown.length ? <span className="meta">and {origins.length - shown.length} more</span> : null}
      {open ? <span className="meta">An action that carries it has not reported yet.</span> : null}
    </>
  );
}

const words: { readonly [H in LabelOrigin['how']]: string } = {
  permit: 'Permitting', outcome: 'What came out of', inherited: 'The session above,', lowered: 'Lowered by',
};
