'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';

import { grantOfText } from '@/components/signing/grant-of-text';
import { GrantTerms } from '@/components/signing/grant-terms';
import { ProofPanel } from '@/components/proof/proof-panel';
import { Band } from '@/components/ui/band';
import { Digest } from '@/components/ui/digest';
import { Icon } from '@/components/ui/icon';
import { Patch } from '@/components/ui/patch';
import { PersonQuote, UnverifiedQuote } from '@/components/ui/quote';
import { Section } from '@/components/ui/section';
import { SignersList } from '@/components/ui/signers-list';
import { Time } from '@/components/ui/time';
import { ItemHead } from '@/components/layout/two-pane';
import { sha256 } from '@/lib/client/hash';
import { proofQuery } from '@/lib/client/queries';
import type { ShownFault } from '@/lib/contracts/console/action-result';
import type { ProposalDetail } from '@/lib/contracts/console/proposals';
import { digestOf, utf8 } from '@/lib/shared/encoding';

import { ClassMark } from './class-mark';
import { ProposalBar } from './proposal-bar';
import { isStale, makerWords, proposalName, touchedWords, whatWords } from './proposal-words';
import { StaleBox } from './stale-box';

interface ProposalPaneProps {
  readonly detail: ProposalDetail;
  readonly busy: string | undefined;
  readonly fault: ShownFault | null;
  readonly onSign: () => void;
  readonly onReject: () => void;
  readonly onWithdraw: () => void;
  readonly onApply: () => void;
  readonly onRebase: () => void;
}

const ends: { readonly [S in ProposalDetail['state']]: string } = { applied: 'In force', rejected: 'Rejected', withdrawn: 'Withdrawn', stale: 'Stale', open: 'Open', signed: 'Signed' };

/** One proposal: who gains what, in whose words, which lines, what would have come out differently, and who has signed. */
export function ProposalPane({ detail, busy, fault, onRebase, ...does }: ProposalPaneProps) {
  const live = detail.state === 'open' || detail.state === 'signed';
  const text = detail.base_text === null ? undefined : (
    <Section title="Text change" note={touchedWords(detail.rules)}><Patch before={detail.base_text} after={detail.text} file={`policy.${detail.format === 'yaml' ? 'yaml' : detail.format}`} /></Section>
  );
  return (
    <article className="detail" aria-labelledby="proposal-title">
      <div className="prop-head">
        <ItemHead
          back={{ href: '/policies', label: 'Proposals' }}
          tags={<>{live ? <ClassMark change={detail.change} /> : <b>{ends[detail.state]}{detail.revision === null ? '' : ` as r${String(detail.revision)}`}</b>}<span className="t3">{makerWords(detail)} <Time at={detail.at} form="date" /></span></>}
          titleId="proposal-title" title={<code>{proposalName(detail)}</code>} summary={detail.target === 'policy' ? <Measured detail={detail} /> : whatWords(detail)}
          {...(detail.target === 'policy' ? { clock: <Basis detail={detail} /> } : {})}
        />
      </div>
      <div className="pol-body" role="group" tabIndex={0} aria-label="Review">
        {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} {fault.fix}</Band>}
        {detail.altered === null ? null : <Band tone="deny" icon="denied" role="alert" title="Do not rely on this.">{detail.altered} Nobody can sign it.</Band>}
        {live ? null : <Ended detail={detail} />}
        {isStale(detail) && detail.target === 'policy' ? <StaleBox detail={detail} busy={busy !== undefined} fault={null} onRebase={onRebase} /> : null}
        {detail.target === 'policy' ? <ProofPanel proposal={detail.id} words={<Words detail={detail} />} {...(text === undefined ? {} : { text })} /> : <AskedGrant detail={detail} />}
        <Signatures detail={detail} />
      </div>
      {live ? <ProposalBar detail={detail} busy={busy} {...does} /> : null}
    </article>
  );
}

/** What would be given, read from the document that owners sign. */
function AskedGrant({ detail }: { readonly detail: ProposalDetail }) {
  const { rests_on: rests, state, text } = detail;
  const grant = grantOfText(text);
  return (
    <>
      {grant === null ? <p className="bad">The document of the grant can’t be read. Sign nothing.</p> : (
        <Section title="What it would give" note={rests === 'nothing' && state !== 'applied' ? <b className="bad">It has run out</b> : 'a grant never overrides a rule that denies or holds back'}><GrantTerms terms={grant} /></Section>
      )}
      <Words detail={detail} />
    </>
  );
}

/** What was counted: lines by their rules, and real decisions that would have come out differently. */
function Measured({ detail }: { readonly detail: ProposalDetail }) {
  const replay = useQuery({ ...proofQuery(detail.id), enabled: detail.change !== null }).data?.proof?.replay;
  if (replay === undefined || replay.decisions === 0) return touchedWords(detail.rules);
  const differ = replay.transitions.filter(({ now, then }) => now !== then).reduce((sum, { count }) => sum + count, 0);
  return <>{touchedWords(detail.rules)} <b>{differ.toLocaleString('en')}</b> of {replay.decisions.toLocaleString('en')} decisions of the last days would differ.</>;
}

/** What it was written on and what is in force, compared here while it may still come into force. */
function Basis({ detail: { base, base_text: text, in_force: now, digest, text: next, state } }: { readonly detail: ProposalDetail }) {
  const live = state === 'open' || state === 'signed';
  const same = base !== null && now !== null && base.digest === now.digest && text !== null && digestOf(sha256, utf8(text)) === now.digest;
  const whole = digestOf(sha256, utf8(next)) === digest;
  return (
    <dl className="basis">
      <Reference label="Written on" value={base} />
      <Reference label="In force" value={now} />
      {live || !whole ? <div className="eq"><dt className="vh">Compared</dt><dd className={same && whole ? 'ok' : 'bad'}>{same && whole ? <><Icon name="check" small />Same text, compared in this browser</> : !whole ? 'The text is not the one that was proposed' : 'Another text than is in force'}</dd></div> : null}
    </dl>
  );
}

function Reference({ label, value }: { readonly label: string; readonly value: ProposalDetail['base'] }) {
  return <div><dt>{label}</dt><dd><b className="num">{value === null ? 'nothing' : `r${String(value.revision)}`}</b></dd><dd>{value === null ? null : <Digest value={value.digest} length="short" />}</dd></div>;
}

function Words({ detail: { reason, maker } }: { readonly detail: ProposalDetail }) {
  if (reason === null || reason === '') return <p className="meta2">No reason was given.</p>;
  return maker.kind === 'person' ? <PersonQuote by={maker.name} note="reason" text={reason} /> : <UnverifiedQuote by={`${maker.name}’s reason`} text={reason} />;
}

function Ended({ detail: { ended_by: by, ended_reason: reason, ended_at: at, replaced_by: next, state, ended_receipt: receipt } }: { readonly detail: ProposalDetail }) {
  return (
    <Band tone={state === 'applied' ? 'plain' : 'warn'} icon={state === 'applied' ? 'check' : 'caution'} role="note" title={`${ends[state]}.`}>
      {by === null ? null : <>By {by}{at === null ? '' : <>, <Time at={at} form="date" /></>}. </>}
      {reason === null ? null : <>“{reason}” </>}
      {next === null ? null : <><Link className="link" href={`/policies?proposal=${next}`}>Its rebase</Link>. </>}
      {receipt === null ? null : <Link className="link" href={`/receipts?receipt=${receipt}`}>Its receipt</Link>}
    </Band>
  );
}

function Signatures({ detail: { signatures, signed, needed, not_counted: hands } }: { readonly detail: ProposalDetail }) {
  return (
    <Section title="Signatures" note={`${String(Math.min(signed, needed))} of ${String(needed)}`}>
      {signatures.length === 0 ? <p className="meta2">Nobody has signed it.</p> : (
        <SignersList signers={signatures.map(({ person, name, counts, self_signed: self }) => ({ key: person, name, state: 'signed' as const, note: !counts ? 'does not count: had a hand in it' : self ? 'self-signed' : 'owner' }))} />
      )}
      {needed > 1 && hands.length > 0 ? <p className="meta2">Not counted, because they had a hand in proposing it: {hands.join(', ')}.</p> : null}
    </Section>
  );
}
