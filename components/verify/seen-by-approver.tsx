import { HeldScreen } from '@/components/held/held-screen';
import { Band } from '@/components/ui/band';
import { Digest } from '@/components/ui/digest';
import { Section } from '@/components/ui/section';
import { UntrustedText } from '@/components/ui/untrusted-text';
import type { Redrawn } from '@/lib/verify/redraw-vote';

const notes: { readonly [S in Redrawn['state']]: string } = { same: 'same digest as signed', differs: 'another digest than signed', unsigned: 'nobody signed it', unknown: 'cannot be compared' };

/** The screen that the vote was cast on, drawn again from the bundle, and whether it is the one that was signed. */
export function SeenByApprover({ redrawn }: { readonly redrawn: Redrawn }) {
  const { state, why, held, statement } = redrawn;
  return (
    <Section title="What the approver saw" note={notes[state]} level={3}>
      {state === 'differs' ? <Band tone="deny" icon="stale" title="This is not what was signed." role="note">{why}</Band> : <p className="meta2 mt-2">{why}</p>}
      {statement === null ? null : (
        <p className="meta2 mt-2">
          Basis <Digest value={statement.basis_digest} length="short" /><br />Screen <Digest value={statement.view.digest} length="short" />, drawn by <code><UntrustedText text={statement.view.renderer} /></code>
          {statement.reason === undefined ? null : <><br />“<UntrustedText text={statement.reason} />”</>}
        </p>
      )}
      {held === null ? null : <HeldScreen held={held} ticked={statement?.checks ?? null} />}
    </Section>
  );
}
