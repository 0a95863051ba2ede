'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import { announceRecovery, prepareTrustChange } from '@/app/actions/trust';
import { ExactBytes } from '@/components/signing/exact-bytes';
import { kindWords } from '../kind-words';
import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Digest } from '@/components/ui/digest';
import { Icon } from '@/components/ui/icon';
import { LoadingRows } from '@/components/ui/pane-states';
import { Patch } from '@/components/ui/patch';
import { Section } from '@/components/ui/section';
import { StatementList } from '@/components/ui/statement-list';
import { actionValue, refusalOf } from '@/lib/client/action-fault';
import { forgetBrowserKey, storeBrowserKey } from '@/lib/client/browser-keys';
import { ReadFault } from '@/lib/client/parse-answer';
import { queryKeys } from '@/lib/client/query-keys';
import { signDocument } from '@/lib/client/sign-document';
import { signHere } from '@/lib/client/sign-here';
import type { SigningKey } from '@/lib/client/signing-key';
import type { PreparedTrustChange, TrustView } from '@/lib/contracts/console/trust';
import { indentedJson } from '@/lib/shared/indented-json';
import type { PersonId } from '@/lib/shared/ids';

import { checkRecovery } from './check-recovery';
import type { NewOwners } from './new-owners-step';

interface AnnounceStepProps {
  readonly view: TrustView;
  readonly person: PersonId;
  readonly recovery: SigningKey;
  readonly next: NewOwners;
  readonly onBack: () => void;
  readonly onDone: () => void;
}

/** Exactly what the recovery key signs, what follows from it and when; then its one signature. */
export function AnnounceStep({ view, person, recovery, next: { owners, made }, onBack, onDone }: AnnounceStepProps) {
  const client = useQueryClient();
  const prepared = useQuery({
    queryKey: ['recovery', view.digest, owners], staleTime: 0, gcTime: 0, retry: false, refetchOnWindowFocus: false,
    queryFn: async () => {
      const documents = actionValue(await prepareTrustChange({ change: { owners: [...owners] } }));
      const fault = checkRecovery(documents, view, owners);
      if (fault !== null) throw new ReadFault({ code: 'trust_root_invalid', title: 'The document is not what was asked for', detail: fault, fix: 'Sign nothing. Find out who answers at this address.', issues: [] });
      return documents;
    },
  });
  const announcing = useMutation({
    mutationFn: async ({ at, trust_root: { document } }: PreparedTrustChange) => {
      const envelope = await signHere(recovery, (signer) => signDocument(document, signer));
      // Before it is sent: an announced owner whose only key was lost on the way would have to be recovered once more.
      if (made !== null) await storeBrowserKey({ ...made, person });
      const answer = await announceRecovery({ owners: [...owners], at, envelope });
      if (made !== null && !answer.ok && answer.error.code !== 'unavailable' && answer.error.code !== 'internal') await forgetBrowserKey(made.entry.id);
      return actionValue(answer);
    },
    onSettled: () => Promise.all([queryKeys.trust, queryKeys.status, queryKeys.deviceKeys(person)].map((queryKey) => client.invalidateQueries({ queryKey }))),
    onSuccess: onDone,
  });
  const fault = refusalOf(prepared.error) ?? refusalOf(announcing.error);
  const { data } = prepared;
  const name = (id: string) => view.owners.find((one) => one.person === id)?.name ?? view.people.find((one) => one.person === id)?.name ?? (id === person ? 'You' : id);
  const now = [...new Set(view.owners.map((one) => one.name))];
  return (
    <Section title="Read and announce" note="step 3 of 3">
      {data === undefined ? (fault === null ? <LoadingRows what="the document" rows={3} /> : null) : (
        <>
          <StatementList lines={[
            { label: 'Becomes', value: <>trust root {data.version}, <Digest value={data.digest} length="short" /></> },
            { label: 'Owners then', value: owners.map(({ person: id, key }) => `${name(id)}, ${kindWords[key.kind] ?? key.kind} ${key.id.slice(0, 8)}`).join('; ') },
            { label: 'Stays as it is', value: 'how many must sign, which keys may, the service keys, the cool-off, and this recovery key. It can change nothing else.' },
            { label: 'Not before', value: '24 hours after it is announced, by the log and by this host’s own clock. Then the new owners sign the roster and the policy anew, here.' },
            { label: 'Until then', value: `every screen shows it, and ${now.join(' or ')} can cancel it.` },
          ]} />
          <Patch before={indentedJson(data.before)} after={indentedJson(data.trust_root.document.text)} file="trust root" />
          <div className="mt-4"><ExactBytes text={data.trust_root.document.text} /></div>
        </>
      )}
      {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} Nothing was announced. {fault.fix}</Band>}
      <p className="mt-5 flex flex-wrap gap-2">
        <Button onClick={onBack}>Back</Button>
        <Button kind="primary" gatedBy={data === undefined ? 'Preparing' : undefined} offBecause={announcing.isPending ? 'Signing' : undefined} icon={<Icon name="key" />} onClick={() => { if (data) announcing.mutate(data); }}>Sign with the recovery key and announce</Button>
      </p>
    </Section>
  );
}
