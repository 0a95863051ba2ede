'use client';

import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Digest } from '@/components/ui/digest';
import { Icon } from '@/components/ui/icon';
import { Seal } from '@/components/ui/seal';
import { StatementList } from '@/components/ui/statement-list';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { keyWords } from '@/lib/client/key-words';
import type { ShownFault } from '@/lib/contracts/console/action-result';
import type { DocumentToSign, SetUpDocuments } from '@/lib/contracts/console/set-up';
import type { PublicKeyEntry } from '@/lib/shared/keys';

interface SignStepProps {
  readonly documents: SetUpDocuments;
  readonly signer: PublicKeyEntry;
  readonly busy: boolean;
  readonly fault: ShownFault | null;
  readonly onSign: () => void;
  readonly onBack: () => void;
}

/** The four documents, to be read and then signed with the key that was just made. */
export function SignStep({ documents, signer, busy, fault, onSign, onBack }: SignStepProps) {
  return (
    <>
      <div className="sheet-h"><Seal /><div><h2>Four documents, one key</h2><p className="t2">From then on actions are decided by the policy that you sign here.</p></div></div>
      <StatementList
        lines={[
          { label: 'Trust root', value: <>You are the only owner. <Digest value={documents.fingerprint} copy /></> },
          { label: 'Roster', value: 'You are owner, admin and approver.' },
          { label: 'Policy', value: 'The starter policy, revision 1. Change it whenever you like; each change is signed again.' },
          { label: 'Revision', value: 'That this text is revision 1 and replaces nothing.' },
          { label: 'Your key', value: <>{keyWords(signer.kind)} <Digest value={signer.id} length="short" /></> },
          { label: 'May sign', value: signer.kind === 'browser-ed25519' ? 'Every kind of key may sign everything, for you have only a browser key. The console says so on every screen.' : 'High and critical impact, policies and the root: passkeys and file keys only.' },
        ]}
      />
      <p className="meta2 mt-4">Write the trust root’s digest down: it is the fingerprint by which anybody, anywhere, checks the ledger without believing this server.</p>
      {signer.kind === 'passkey' ? <p className="meta2 mt-4">Your passkey is asked four times, once for each document.</p> : null}
      <Exact title="Trust root" document={documents.trust_root} />
      <Exact title="Roster" document={documents.roster} />
      <Exact title="Starter policy" document={documents.policy} />
      <Exact title="Revision" document={documents.policy_revision} />
      {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} Nothing is in force. {fault.fix}</Band>}
      <p className="mt-5 flex flex-wrap gap-2">
        <Button onClick={onBack}>Back</Button>
        <Button kind="primary" onClick={onSign} offBecause={busy ? 'Signing' : undefined} icon={<Icon name="key" />}>Sign and finish</Button>
      </p>
    </>
  );
}

function Exact({ title, document }: { readonly title: string; readonly document: DocumentToSign }) {
  return (
    <details className="mt-2">
      <summary className="link">{title}, {document.text.length.toLocaleString('en')} characters</summary>
      <pre className="code json" tabIndex={0}>{document.text.split('\n').map((line, index) => <span className="l" key={index}><UntrustedText text={line} /></span>)}</pre>
    </details>
  );
}
