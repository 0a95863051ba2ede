'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';

import { completeRecovery } from '@/app/actions/trust';
import { ExactBytes } from '@/components/signing/exact-bytes';
import { SigningKeyLine } from '@/components/signing/signing-key-line';
import { kindWords } from '../kind-words';
import { keysThatCount, signableNames, signedDocuments } from '../signed-documents';
import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Countdown } from '@/components/ui/countdown';
import { Digest } from '@/components/ui/digest';
import { FactsList } from '@/components/ui/facts-list';
import { Icon } from '@/components/ui/icon';
import { Section } from '@/components/ui/section';
import { StatementList } from '@/components/ui/statement-list';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { actionValue, refusalOf } from '@/lib/client/action-fault';
import { queryKeys } from '@/lib/client/query-keys';
import { useNow } from '@/lib/client/use-now';
import { useSigningKey } from '@/lib/client/use-signing-key';
import type { PendingRecovery as Recovery, TrustChangeOutcome } from '@/lib/contracts/console/trust';
import { isDigest, type PersonId } from '@/lib/shared/ids';

interface PendingRecoveryProps {
  readonly recovery: Recovery;
  readonly person: PersonId;
  /** The server's clock minus this browser's, in milliseconds. */
  readonly offsetMs: number;
  readonly onDone: (outcome: TrustChangeOutcome) => void;
}

const names = { roster: 'Roster', policy: 'Policy', policy_revision: 'Its revision' } as const;
const documents = ['roster', 'policy', 'policy_revision'] as const;

/** A recovery that is announced: how long its day still is, and then the new owners' signatures. */
export function PendingRecovery({ recovery, person, offsetMs, onDone }: PendingRecoveryProps) {
  const client = useQueryClient();
  const now = useNow();
  const counted = keysThatCount(recovery, person);
  const own = useSigningKey(person, 'policy', counted);
  const { key } = own;
  const mine = key === undefined ? [] : signableNames(recovery, key.entry.id);
  const finishing = useMutation({
    mutationFn: async () => {
      const { digest } = recovery;
      if (!isDigest(digest)) throw new TypeError('The console named no recovery.');
      const envelopes = key === undefined ? {} : await signedDocuments(recovery, key);
      return actionValue(await completeRecovery({ digest, ...envelopes }));
    },
    onSettled: () => Promise.all([queryKeys.trust, queryKeys.status, queryKeys.policies, queryKeys.people, queryKeys.ownKeys, queryKeys.viewer].map((queryKey) => client.invalidateQueries({ queryKey }))),
    onSuccess: onDone,
  });
  const fault = refusalOf(finishing.error);
  const early = now === null || now + offsetMs < Date.parse(recovery.over_at);
  const needed = documents.some((name) => recovery[name] !== null);
  const gate = early ? 'Wait for the day to pass' : needed && key === undefined ? 'No key here' : needed && mine.length === 0 ? 'Not this key' : undefined;
  return (
    <Section title={`Trust root ${String(recovery.version)} is announced`} note={early ? 'waits' : 'may come into force'}>
      <FactsList facts={[
        { label: 'Announced', value: <><UntrustedText text={recovery.by} />, <Time at={recovery.announced_at} form="date" /></> },
        { label: 'Not before', value: <><Time at={recovery.over_at} form="date" />{early ? <>, in <Countdown variant="figure" deadline={recovery.over_at} atZero="ready to be finished" offsetMs={offsetMs} /></> : null}</> },
        { label: 'Owners then', value: recovery.owners.map(({ name, key: { id, kind } }, at) => <span key={id}>{at === 0 ? '' : '; '}{name}, {kindWords[kind] ?? kind} <code>{id.slice(0, 8)}</code></span>) },
        { label: 'Becomes', value: <Digest value={recovery.digest} length="short" /> },
      ]} />
      <p className="meta2 mt-4">Not meant so? An owner cancels it in the band above. Whoever announced it had the recovery key: replace that, too.</p>
      <div className="mt-4"><ExactBytes text={recovery.text} /></div>
      {needed ? (
        <div className="mt-4"><StatementList lines={documents.flatMap((name) => {
          const one = recovery[name];
          return one === null ? [] : [{ label: names[name], value: `as it is; ${String(one.signed.length)} of ${String(one.needed)} new owners signed${one.signed.length === 0 ? '' : `: ${one.signed.map(({ name: who }) => who).join(', ')}`}` }];
        })} /></div>
      ) : null}
      {counted.length === 0 && needed ? <Band role="note" icon="key" title="No key of yours is among the new owners’.">They finish it, each with their own key.</Band> : <SigningKeyLine signing={own} signatures={mine.length} />}
      {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} The owners are as they were. {fault.fix}</Band>}
      {counted.length === 0 && needed ? null : <p className="mt-4"><Button kind="primary" gatedBy={gate} offBecause={finishing.isPending ? 'Signing' : undefined} icon={<Icon name="key" />} onClick={() => finishing.mutate()}>Sign as a new owner</Button></p>}
    </Section>
  );
}
