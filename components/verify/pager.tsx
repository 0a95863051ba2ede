import { Button } from '@/components/ui/button';

import { pageLength } from './use-page';

interface PagerProps {
  readonly from: number;
  readonly total: number;
  readonly what: string;
  readonly onFrom: (from: number) => void;
}

/** Which part of a long list is shown, and the way to the others. */
export function Pager({ from, total, what, onFrom }: PagerProps) {
  const last = Math.max(0, Math.floor((total - 1) / pageLength) * pageLength);
  return (
    <nav className="pager" aria-label={`Pages of ${what}`}>
      <span className="meta" role="status">{total === 0 ? `No ${what}` : `${(from + 1).toLocaleString('en')} to ${Math.min(total, from + pageLength).toLocaleString('en')} of ${total.toLocaleString('en')} ${what}`}</span>
      {total <= pageLength ? null : (
        <>
          <Button small onClick={() => onFrom(0)} offBecause={from === 0 ? 'First' : undefined}>First</Button>
          <Button small onClick={() => onFrom(Math.max(0, from - pageLength))} offBecause={from === 0 ? 'Back' : undefined}>Back</Button>
          <Button small onClick={() => onFrom(from + pageLength)} offBecause={from >= last ? 'Next' : undefined}>Next</Button>
          <Button small onClick={() => onFrom(last)} offBecause={from >= last ? 'Last' : undefined}>Last</Button>
        </>
      )}
    </nav>
  );
}
