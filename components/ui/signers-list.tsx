import type { ReactNode } from 'react';
import { Icon } from '@/components/ui/icon';
import { ringArcs } from '@/components/ui/ring-arcs';

export interface Signer {
  readonly key: string;
  readonly name: string;
  /** `signed`, `open` may still sign, `barred` may not. */
  readonly state: 'signed' | 'open' | 'barred';
  readonly note?: ReactNode;
}

/** Who has signed, who may, and who may not and why. */
export function SignersList({ signers }: { readonly signers: readonly Signer[] }) {
  return (
    <ul className="signers">
      {signers.map((signer) => (
        <li key={signer.key}>
          {signer.state === 'barred' ? <Icon name="dash" className="t3" /> : <OneArc signed={signer.state === 'signed'} />}
          <span className={signer.state === 'barred' ? 't3' : undefined}><b>{signer.name}</b> <span className="t3">{signer.note}</span></span>
        </li>
      ))}
    </ul>
  );
}

function OneArc({ signed }: { readonly signed: boolean }) {
  return (
    <svg className="qring" viewBox="0 0 16 16" role="img" aria-label={signed ? 'Signed' : 'Not signed'} focusable="false">
      {ringArcs(signed ? 1 : 0, 1).map((arc) => <path key={arc.d} d={arc.d} className={arc.signed ? 'on' : undefined} />)}
    </svg>
  );
}
