import { Icon } from '@/components/ui/icon';
import { Seal } from '@/components/ui/seal';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { asNote } from '@/lib/client/as-note';
import type { Checked } from '@/lib/client/verify-messages';
import { failedAt } from '@/lib/verify/first-failure';

import { drawnState, sizeWords, toneOf, verdictWords } from './verdict-words';

interface BundleVerdictProps {
  readonly checked: Checked;
  readonly name: string;
}

const icons = { pass: 'check', fail: 'cross', skipped: 'dash' } as const;
const said = { pass: 'Passed', fail: 'Failed', skipped: 'Not found out' } as const;

/** The verdict on a bundle: the seal for a verified one, a dashed grey box for one whose issuer nobody vouches for, red for one that fails. */
export function BundleVerdict({ checked, name }: BundleVerdictProps) {
  const tone = toneOf(checked.verdict);
  const { title, means } = verdictWords(checked);
  return (
    <div className="verdict verdict-l" data-state={tone} role="status">
      {tone === 'pass' ? <Seal /> : <Icon name={tone === 'fail' ? 'stale' : 'dash'} className="verdict-i" />}
      <div>
        <b>{title}</b>
        <span className="meta2">{means}</span>
        <span className="meta"><UntrustedText text={name} />, {sizeWords(checked.bytes)}. Run in this browser in {checked.ms.toLocaleString('en')} ms. No server was asked.</span>
      </div>
    </div>
  );
}

const order = { fail: 0, skipped: 1, pass: 2 } as const;

/** Every check with what came of it: what fails first, then what is open. */
export function ChecksList({ checked: { checks, verdict }, onOpen }: { readonly checked: Checked; readonly onOpen: (index: number) => void }) {
  const sorted = checks.toSorted((a, b) => order[drawnState(a, verdict)] - order[drawnState(b, verdict)]);
  return (
    <ol className="proof proof-2">
      {sorted.map((check) => {
        const state = drawnState(check, verdict);
        const at = state === 'fail' ? failedAt(check) : undefined;
        return (
          <li key={check.id} data-state={state}>
            <Icon name={icons[state]} label={said[state]} />
            <span>{check.title}{state === 'pass' ? null : <><br /><span className="t2"><UntrustedText text={check.detail} /></span></>}</span>
            <span className="t3">{at !== undefined ? <button type="button" className="link" onClick={() => onOpen(at)}>receipt {at.toLocaleString('en')}</button> : state === 'pass' ? <UntrustedText text={asNote(check.detail)} /> : null}</span>
          </li>
        );
      })}
    </ol>
  );
}
