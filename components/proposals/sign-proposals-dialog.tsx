'use client';

import { useQueries, useQuery } from '@tanstack/react-query';

import { prepareSigning } from '@/app/actions/proposals';
import { grantOfText } from '@/components/signing/grant-of-text';
import { GrantTerms } from '@/components/signing/grant-terms';
import { ExactBytes } from '@/components/signing/exact-bytes';
import { NoKeyHere } from '@/components/signing/no-key-here';
import { SigningKeyLine } from '@/components/signing/signing-key-line';
import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Digest } from '@/components/ui/digest';
import { Icon } from '@/components/ui/icon';
import { LoadingRows } from '@/components/ui/pane-states';
import { StatementList } from '@/components/ui/statement-list';
import { actionValue, refusalOf } from '@/lib/client/action-fault';
import { proposalDetailQuery } from '@/lib/client/queries';
import { useSigningKey } from '@/lib/client/use-signing-key';
import type { PreparedSigning, ProposalDetail, SignedProposals } from '@/lib/contracts/console/proposals';
import type { PersonId, ProposalId } from '@/lib/shared/ids';

import { faultOfPrepared } from './fault-of-prepared';
import { classWords, proposalName } from './proposal-words';
import { useSignProposals } from './use-sign-proposals';

interface SignProposalsDialogProps {
  readonly person: PersonId;
  readonly proposals: readonly ProposalId[];
  readonly onDone: (signed: SignedProposals) => void;
  readonly onClose: () => void;
}

/** What an owner's signature on one proposal, or on several in order, says; the server's documents are compared with what was shown before they are signed. */
export function SignProposalsDialog({ person, proposals, onDone, onClose }: SignProposalsDialogProps) {
  const own = useSigningKey(person, 'policy');
  const { key, asked, fault: keyFault, why, kinds, load } = own;
  const details = useQueries({ queries: proposals.map((id) => proposalDetailQuery(id)) });
  const prepared = useQuery({
    queryKey: ['signing', ...proposals], staleTime: 0, gcTime: 0, retry: false, refetchOnWindowFocus: false,
    queryFn: async () => actionValue(await prepareSigning({ proposals: [...proposals] })),
  });
  const signing = useSignProposals();
  const shown = details.map(({ data }) => data).filter((data): data is ProposalDetail => data !== undefined);
  const ready = prepared.data !== undefined && shown.length === proposals.length;
  const differs = ready ? faultOfPrepared(prepared.data, shown) : null;
  const fault = refusalOf(prepared.error) ?? refusalOf(signing.error);
  const busy = signing.isPending;
  const grant = shown[0]?.target === 'grant' ? grantOfText(shown[0].text) : null;
  const many = proposals.length > 1;
  const gate = key === undefined ? 'No key here' : !ready ? 'Preparing' : differs === null ? undefined : 'Do not sign';
  function sign() {
    if (busy || gate !== undefined || prepared.data === undefined || key === undefined) return;
    signing.mutate({ proposals, prepared: prepared.data, key }, { onSuccess: onDone });
  }
  return (
    <Dialog
      open sealed busy={busy} title={many ? `Sign ${String(proposals.length)} proposals in this order` : 'Sign this proposal'}
      description={many ? 'One statement covers the whole chain: each builds on the one before.' : shown[0]?.target === 'grant' ? 'From the last signature that is needed, the agent has it. It never overrides a rule that denies, holds back or forbids.' : 'From the last signature that is needed, every action is decided by it.'}
      onOpenChange={(open) => { if (!open) onClose(); }}
      footer={<><Button onClick={onClose}>Back <kbd>Esc</kbd></Button><Button kind="primary" onClick={sign} gatedBy={gate} offBecause={busy ? 'Signing' : undefined} icon={<Icon name="key" />}>Sign</Button></>}
    >
      {key === undefined && asked ? <NoKeyHere person={person} fault={keyFault} why={why} kinds={kinds} onFile={load} /> : null}
      {!ready && fault === null ? <LoadingRows what="the statement" /> : null}
      {ready && grant !== null ? <GrantTerms terms={grant} /> : null}
      {ready && prepared.data !== undefined ? <Steps prepared={prepared.data} shown={shown} /> : null}
      {key === undefined || prepared.data === undefined ? null : <SigningKeyLine signing={own} signatures={1 + prepared.data.steps.flatMap(({ documents }) => documents).length} />}
      {differs === null ? null : <Band tone="deny" icon="stale" role="alert" title="Sign nothing.">{differs}</Band>}
      {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} Nothing is in force by it. {fault.fix}</Band>}
    </Dialog>
  );
}

function Steps({ prepared, shown }: { readonly prepared: PreparedSigning; readonly shown: readonly ProposalDetail[] }) {
  return (
    <>
      {prepared.steps.map((step, at) => {
        const one = shown[at];
        if (!one) return null;
        const after = step.counted + (step.counts ? 1 : 0);
        return (
          <StatementList
            key={step.proposal}
            lines={[
              { label: prepared.steps.length > 1 ? `Step ${String(at + 1)}` : 'Proposal', value: <code>{proposalName(one)}</code> },
              ...(one.target === 'grant' ? [{ label: 'Gives', value: <>a grant <Digest value={step.digest} length="short" /></> }] : [{ label: 'Written on', value: one.base === null ? 'nothing' : <>r{one.base.revision} <Digest value={one.base.digest} length="short" /></> },
              { label: 'Becomes', value: <>r{(one.base?.revision ?? 0) + 1} <Digest value={step.digest} length="short" /></> }]),
              { label: 'Class', value: classWords(step.change) },
              { label: 'Signatures', value: signatureWords(step, after) },
            ]}
          />
        );
      })}
      <ExactBytes text={prepared.statement.text} />
    </>
  );
}

function signatureWords({ counts, needed, self_signed }: PreparedSigning['steps'][number], after: number): string {
  if (!counts) return `${String(after)} of ${String(needed)}; yours does not count, because you had a hand in proposing it`;
  const said = `${String(after)} of ${String(needed)} with yours`;
  return self_signed ? `${said}, self-signed` : said;
}
