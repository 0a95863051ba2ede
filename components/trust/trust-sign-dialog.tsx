'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import { prepareTrustChange, signTrustChange } from '@/app/actions/trust';
import { ExactBytes } from '@/components/signing/exact-bytes';
import { NoKeyHere } from '@/components/signing/no-key-here';
import { SigningKeyLine } from '@/components/signing/signing-key-line';
import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Digest } from '@/components/ui/digest';
import { Icon } from '@/components/ui/icon';
import { LoadingRows } from '@/components/ui/pane-states';
import { Patch } from '@/components/ui/patch';
import { StatementList } from '@/components/ui/statement-list';
import type { TrustRootChange } from '@/lib/authority/change-trust-root';
import { actionValue, refusalOf } from '@/lib/client/action-fault';
import { queryKeys } from '@/lib/client/query-keys';
import { useSigningKey } from '@/lib/client/use-signing-key';
import type { PreparedTrustChange, TrustChangeOutcome } from '@/lib/contracts/console/trust';
import type { PersonId } from '@/lib/shared/ids';
import { indentedJson } from '@/lib/shared/indented-json';

import { keysThatCount, signedDocuments, signableNames } from './signed-documents';

interface TrustSignDialogProps {
  readonly title: string;
  readonly change: TrustRootChange;
  /** One that waits: it is signed as it stands. */
  readonly pending: PreparedTrustChange | undefined;
  readonly person: PersonId;
  readonly onDone: (outcome: TrustChangeOutcome) => void;
  readonly onClose: () => void;
}

const names = { trust_root: 'Trust root', roster: 'Roster, unchanged', policy: 'Policy, unchanged', policy_revision: 'Its revision' } as const;

/** The exact difference of the documents, who has signed and who has to, and the owner's own signature on all of them. */
export function TrustSignDialog({ title, change, pending, person, onDone, onClose }: TrustSignDialogProps) {
  const client = useQueryClient();
  const fresh = useQuery({
    queryKey: ['trust-change', change], enabled: pending === undefined, staleTime: 0, gcTime: 0, retry: false, refetchOnWindowFocus: false,
    queryFn: async () => actionValue(await prepareTrustChange({ change })),
  });
  const prepared = pending ?? fresh.data;
  const own = useSigningKey(person, 'root', prepared === undefined ? [] : keysThatCount(prepared, person));
  const { key, asked, why, kinds, fault: keyFault, load } = own;
  const signing = useMutation({
    mutationFn: async (ready: PreparedTrustChange) => {
      if (key === undefined) throw new TypeError('There is no key to sign with.');
      const envelopes = await signedDocuments(ready, key);
      return actionValue(await signTrustChange({ change: ready.change, at: ready.at, ...envelopes }));
    },
    onSettled: () => Promise.all([queryKeys.trust, queryKeys.status, queryKeys.policies, queryKeys.people].map((queryKey) => client.invalidateQueries({ queryKey }))),
    onSuccess: onDone,
  });
  const fault = refusalOf(fresh.error) ?? refusalOf(signing.error);
  const mine = prepared === undefined || key === undefined ? [] : signableNames(prepared, key.entry.id);
  const gate = key === undefined ? 'No key here' : prepared === undefined ? 'Preparing' : mine.length === 0 ? 'Not this key' : undefined;
  return (
    <Dialog
      open sealed busy={signing.isPending} title={title} description="Owners’ signatures on the next trust root. It counts when as many have signed as the root in force asks for."
      onOpenChange={(open) => { if (!open) onClose(); }}
      footer={<><Button onClick={onClose}>Back <kbd>Esc</kbd></Button><Button kind="primary" gatedBy={gate} offBecause={signing.isPending ? 'Signing' : undefined} icon={<Icon name="key" />} onClick={() => { if (prepared) signing.mutate(prepared); }}>Sign</Button></>}
    >
      {asked && prepared !== undefined && key === undefined ? <NoKeyHere person={person} fault={keyFault} why={why} kinds={kinds} onFile={load} /> : null}
      {prepared === undefined ? (fault === null ? <LoadingRows what="the documents" rows={3} /> : null) : (
        <>
          <StatementList lines={[
            { label: 'Becomes', value: <>version {prepared.version}, <Digest value={prepared.digest} length="short" /></> },
            ...(['trust_root', 'roster', 'policy'] as const).flatMap((name) => {
              const one = prepared[name];
              return one === null ? [] : [{ label: names[name], value: `${one.signed.length} of ${one.needed} signed${one.signed.length === 0 ? '' : `: ${one.signed.map(({ name: who }) => who).join(', ')}`}` }];
            }),
            { label: 'You sign', value: mine.length === 0 ? 'nothing yet' : mine.map((name) => names[name].split(',')[0]?.toLowerCase()).join(', ') },
          ]} />
          <Patch before={indentedJson(prepared.before)} after={indentedJson(prepared.trust_root.document.text)} file="trust root" />
          <ExactBytes text={prepared.trust_root.document.text} />
        </>
      )}
      {key === undefined ? null : <SigningKeyLine signing={own} signatures={mine.length} />}
      {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} The trust root is unchanged. {fault.fix}</Band>}
    </Dialog>
  );
}
