import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import type { PolicyEditorView } from '@/lib/contracts/console/policy-drafts';

import type { Draft } from './use-draft';

interface DraftBandsProps {
  readonly draft: Draft;
  readonly inForce: { readonly revision: number; readonly digest: string } | null;
  readonly onLoaded: (view: PolicyEditorView) => void;
  readonly onCompare: () => void;
  readonly onTakeOver: () => void;
  /** Why the changes of the newer revision could not be taken over; null: not tried, or done. */
  readonly takeOverFault: string | null;
  readonly onRest: () => void;
}

/** What stands between this text and the server's: another window's draft, a save that failed, a newer revision. */
export function DraftBands({ draft, inForce, onLoaded, onCompare, onTakeOver, takeOverFault, onRest }: DraftBandsProps) {
  const { state, fault, content: { base } } = draft;
  const load = async () => {
    const view = await draft.reload();
    if (view !== null) onLoaded(view);
  };
  return (
    <>
      {state.kind !== 'conflict' ? null : (
        <Band tone="warn" icon="stale" role="alert" full title={state.fault.detail} action={<><Button small onClick={() => void load()}>Take that one</Button> <Button small onClick={() => void draft.overwrite()}>Save this one over it</Button></>}>
          What is written here is on this page only.
        </Band>
      )}
      {state.kind !== 'failed' ? null : <Band tone="warn" icon="stale" role="alert" full title={`${state.fault.title}.`} action={<Button small onClick={() => void draft.flush()}>Save again</Button>}>{state.fault.detail} {state.fault.fix}</Band>}
      {fault === null ? null : <Band tone="warn" icon="stale" role="alert" full title={`${fault.title}.`}>{fault.detail} {fault.fix}</Band>}
      {inForce === null || base?.digest === inForce.digest ? null : (
        <Band
          tone="warn" full title={base === null ? `r${inForce.revision} is in force, and this draft was begun on nothing.` : `r${inForce.revision} came into force after this draft was begun on r${base.revision}.`}
          action={<><Button small onClick={onTakeOver}>Take its changes over</Button> <Button small onClick={onCompare}>Compare</Button> <Button small kind="plain" onClick={onRest}>Rest it on r{inForce.revision} as it is</Button></>}
        >
          {takeOverFault ?? 'As it stands it would take those changes back.'}
        </Band>
      )}
    </>
  );
}
