import { Icon } from '@/components/ui/icon';
import { Time } from '@/components/ui/time';
import type { DraftState } from '@/lib/client/draft-keeper';

/** Whether the server has what is written here. */
export function DraftLine({ state }: { readonly state: DraftState }) {
  return <span className="draft-line" role="status">{wordsOf(state)}</span>;
}

function wordsOf(state: DraftState) {
  switch (state.kind) {
    case 'untouched':
      return 'The text in force. What you change is kept as your draft.';
    case 'unsaved':
      return 'Not saved yet';
    case 'saving':
      return 'Saving';
    case 'saved':
      return <><Icon name="check" small /> Draft saved <Time at={state.at} /></>;
    case 'conflict':
      return <span className="bad">Not saved: another window was first</span>;
    case 'failed':
      return <span className="bad">Not saved: {state.fault.title}</span>;
  }
}
