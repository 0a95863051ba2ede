import { Band } from '@/components/ui/band';
import type { ShownFault } from '@/lib/contracts/console/action-result';

/** Why a text cannot become a policy, each finding with its place. */
export function PolicyFindings({ fault, onGo }: { readonly fault: ShownFault; readonly onGo: (line: number, column: number) => void }) {
  return (
    <>
      <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} Nothing was signed. {fault.fix}</Band>
      <ul className="findings">
        {fault.issues.map(({ path, message, fix, line, column }, index) => (
          <li key={index}>
            {line === undefined ? null : <button type="button" className="link" onClick={() => onGo(line, column ?? 1)}>Line {line}{column === undefined ? '' : `, column ${column}`}</button>}
            <span>{path === '' ? null : <code>{path}</code>} {message} {fix === undefined ? null : <span className="t3">{fix}</span>}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
