'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { Page } from '@/components/layout/board';
import { Band } from '@/components/ui/band';
import { Button, ButtonLink } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { EmptyState, ErrorState, LoadingRows } from '@/components/ui/pane-states';
import { shownFault } from '@/lib/client/parse-answer';
import { grantsQuery } from '@/lib/client/queries';
import type { GrantView } from '@/lib/contracts/console/grants';
import type { PersonId } from '@/lib/shared/ids';

import { GrantDialog } from './grant-dialog';
import { GrantEntry } from './grant-entry';
import { GrantSignDialog } from './grant-sign-dialog';
import { RevokeGrantDialog } from './revoke-grant-dialog';

interface GrantsScreenProps {
  readonly person: PersonId;
  readonly mayIssue: boolean;
  readonly mayRevoke: boolean;
}

type Doing = { readonly what: 'give' | 'propose' } | { readonly what: 'narrow' | 'revoke' | 'sign'; readonly grant: GrantView };

/** What agents were given beyond their policy’s bare words: who, what, where, how often still, until when. */
export function GrantsScreen({ person, mayIssue, mayRevoke }: GrantsScreenProps) {
  const { data, error, refetch } = useQuery(grantsQuery());
  const [doing, setDoing] = useState<Doing | null>(null);
  const [made, setMade] = useState<string | null>(null);
  const close = () => setDoing(null);
  const needing = data?.operations.filter(({ needs }) => needs) ?? [];
  return (
    <Page
      title="Grants"
      lead={needing.length === 0 ? 'The policy in force asks for no grant.' : `Policy asks for a grant before ${needing.map(({ tool, operation }) => `${tool}.${operation}`).join(', ')}.`}
      actions={data === undefined ? undefined : (
        <>
          <Button onClick={() => { setMade(null); setDoing({ what: 'propose' }); }}>Propose a grant</Button>
          {mayIssue ? <Button kind="primary" onClick={() => setDoing({ what: 'give' })} icon={<Icon name="key" />}>Give a grant</Button> : null}
        </>
      )}
    >
      {made === null ? null : <Band icon="check" title="Proposed." action={<ButtonLink small href={`/policies?proposal=${made}`}>Look at the proposal</ButtonLink>}>It gives nothing until enough owners have signed it.</Band>}
      {error === null ? null : <ErrorState title="The grants could not be read." code={shownFault(error).code} action={<Button small onClick={() => void refetch()}>Read again</Button>}>{shownFault(error).detail}</ErrorState>}
      {data === undefined ? (error === null ? <LoadingRows what="grants" /> : null) : data.grants.length === 0 ? (
        <EmptyState title="No grant was ever given.">{needing.length === 0 ? 'A policy asks for one with “grant: required” at an operation. A grant then says who may use it, how often and until when.' : mayIssue ? 'What needs one is denied until an owner gives it.' : 'What needs one is denied until an owner gives it. Propose one; agents may, too.'}</EmptyState>
      ) : data.grants.map((grant) => (
        <GrantEntry
          key={grant.id} grant={grant} needed={data.needed_signers}
          onSign={mayIssue && grant.state === 'waiting' && grant.document !== null ? () => setDoing({ what: 'sign', grant }) : undefined}
          onNarrow={mayIssue && grant.state === 'standing' ? () => setDoing({ what: 'narrow', grant }) : undefined}
          onRevoke={mayRevoke && (grant.state === 'standing' || grant.state === 'waiting') ? () => setDoing({ what: 'revoke', grant }) : undefined}
        />
      ))}
      {data !== undefined && doing?.what === 'give' ? <GrantDialog view={data} wide={null} person={person} onClose={close} /> : null}
      {data !== undefined && doing?.what === 'propose' ? <GrantDialog view={data} wide={null} person={person} onProposed={(proposal) => { close(); setMade(proposal); }} onClose={close} /> : null}
      {data !== undefined && doing?.what === 'narrow' ? <GrantDialog view={data} wide={doing.grant} person={person} onClose={close} /> : null}
      {doing?.what === 'revoke' ? <RevokeGrantDialog grant={doing.grant} onClose={close} /> : null}
      {data !== undefined && doing?.what === 'sign' && doing.grant.document !== null ? <GrantSignDialog document={doing.grant.document} neededSigners={data.needed_signers} person={person} onClose={close} /> : null}
    </Page>
  );
}
