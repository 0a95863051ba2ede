import { Band } from '@/components/ui/band';
import { Digest } from '@/components/ui/digest';
import { FactsList } from '@/components/ui/facts-list';
import { Section } from '@/components/ui/section';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { DetailPane, ItemHead } from '@/components/layout/two-pane';
import type { GuardDirectoryView } from '@/lib/contracts/console/guard-directories';

interface GuardDirectoryDetailProps {
  readonly directory: GuardDirectoryView;
  readonly consoleUid: number;
}

/** An attached directory as it is on disk now, and what the console's user means for it. */
export function GuardDirectoryDetail({ directory, consoleUid }: GuardDirectoryDetailProps) {
  const { name, path, refusal, owned, owner_uid: owner, agent_uid: agent, revision, digest, permissions, odd } = directory;
  return (
    <DetailPane
      labelledBy="guard-title"
      head={<ItemHead back={{ href: '/policies/guards', label: 'Guard directories' }} tags={<b>{revision === null ? 'Refused' : `Revision ${revision}`}</b>} titleId="guard-title" title={name} summary={<code>{path}</code>} />}
    >
      {refusal === null ? null : <Band tone="deny" icon="denied" title="The directory is refused.">{refusal} Nothing is applied there until that is put right.</Band>}
      {owner === null ? null : <OwnerBand owner={owner} consoleUid={consoleUid} owned={owned} path={path} />}
      {digest === null || owner === null ? null : (
        <Section title="Allowlist" note="read from the file just now">
          <FactsList
            facts={[
              { label: 'SHA-256', value: <Digest value={digest} copy /> },
              { label: 'Owner', value: `uid ${owner}` },
              { label: 'Agent', value: `uid ${agent}` },
              { label: 'Allowed', value: permissions.length === 0 ? 'nothing' : <span className="grid gap-1">{permissions.map((one) => <code key={one}><UntrustedText text={one} /></code>)}</span> },
            ]}
          />
        </Section>
      )}
      {odd.length === 0 ? null : (
        <Section title="Odd files in the inbox" note="nothing is done with them">
          <FactsList facts={odd.map((one) => ({ label: one.name, value: <UntrustedText text={one.why} />, tone: 'warn' as const }))} />
        </Section>
      )}
    </DetailPane>
  );
}

/** What a signature cannot do: keep the console's own user from the files. */
function OwnerBand({ owner, consoleUid, owned, path }: { readonly owner: number; readonly consoleUid: number; readonly owned: boolean; readonly path: string }) {
  const command = <code>sudo -u &apos;#{owner}&apos; countersign guard apply-proposal --state {path} --id ID --confirm APPLY_PROPOSAL</code>;
  if (owned) {
    return (
      <Band tone="warn" title="The console runs as the owner of this directory." role="note">
        Whoever takes over the console is the owner here, signatures or not. To keep them apart, run the console as another user; the owner then applies by the command, through a narrow sudo rule: {command}
      </Band>
    );
  }
  return (
    <Band title={`The console runs as uid ${consoleUid}, the owner is uid ${owner}.`} role="note">
      It can neither list the inbox nor apply anything. The owner lists with <code>countersign guard list</code> and applies by the command: {command}
    </Band>
  );
}
