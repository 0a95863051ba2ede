import { Button } from '@/components/ui/button';
import type { Progress } from '@/lib/client/verifier-link';

const words: { readonly [S in Progress['step']]: string } = {
  reading: 'Reading the file',
  rederivation: 'Running the engine again',
  classes: 'Comparing policies',
  receipts: 'Checking signatures',
  summing_up: 'Summing up',
};

/** How far the checks are. The work is done in a thread of its own, so the page stays usable. */
export function CheckingProgress({ name, progress, onStop }: { readonly name: string; readonly progress: Progress | null; readonly onStop: () => void }) {
  // Between the counted steps lie others, which take their time too and have nothing to count.
  const between = progress !== null && progress.step !== 'reading' && progress.done === progress.total;
  const counts = progress && !between && progress.step !== 'reading' ? `${progress.done.toLocaleString('en')} of ${progress.total.toLocaleString('en')}` : '';
  return (
    <section className="checking" aria-label="Checking">
      <p className="checking-h"><b role="status">{progress === null ? 'Starting' : between ? 'Checking how it all goes together' : words[progress.step]}</b><span className="num t2">{counts}</span></p>
      <progress aria-label="How far the checks are" max={1} {...(counts === '' || progress === null || progress.total === 0 ? {} : { value: progress.done / progress.total })} />
      <p className="checking-f"><span className="meta">{name}. All of it stays in this browser.</span><Button small onClick={onStop}>Stop</Button></p>
    </section>
  );
}
