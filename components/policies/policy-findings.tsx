import { Band } from '@/components/ui/band';
import type { ShownFault } from '@/lib/contracts/console/action-result';

/** One mistake often brings many: the first ones say what it is. */
const shown = 12;

/** Why a text cannot become a policy, each finding with its place. */
export function PolicyFindings({ fault, onGo }: { readonly fault: ShownFault; readonly onGo: (line: number, column: number) => void }) {
  return (
    <>
      <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} Nothing was signed. {fault.fix}</Band>
      <ul className="findings">
        {fault.issues.slice(0, shown).map(({ path, message, fix, line, column }, index) => (
          <li key={index}>
            {line === undefined ? null : <button type="button" className="link" onClick={() => onGo(line, column ?? 1)}>Line {line}{column === undefined ? '' : `, column ${column}`}</button>}
            <span>{path === '' ? null : <code>{path}</code>} {message} {fix === undefined ? null : <span className="t3">{fix}</span>}</span>
          </li>
        ))}
        {fault.issues.length > shown ? <li><span>{fault.issues.length - shown} more follow; they are often only consequences of the first.</span></li> : null}
      </ul>
    </>
  );
}
