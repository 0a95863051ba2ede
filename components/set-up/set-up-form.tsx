'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { completeSetUp, prepareSetUp } from '@/app/actions/set-up';
import { SetUpSteps } from '@/components/layout/auth-layout';
import { actionValue, refusalOf } from '@/lib/client/action-fault';
import { makePasskey } from '@/lib/client/ask-passkey';
import { makeBrowserKey } from '@/lib/client/browser-keys';
import { ReadFault } from '@/lib/client/parse-answer';
import { makeRecoveryKey, type RecoveryKey } from '@/lib/client/recovery-key';
import { signHere } from '@/lib/client/sign-here';
import type { SigningKey } from '@/lib/client/signing-key';
import { canEd25519 } from '@/lib/client/verify-signature';
import type { SetUpDocuments } from '@/lib/contracts/console/set-up';

import { checkSetUpDocuments } from './check-set-up-documents';
import { RecoveryStep } from './recovery-step';
import { signSetUp } from './sign-set-up';
import { SignStep } from './sign-step';
import { WhoStep, type Who } from './who-step';

type Made = {
  readonly who: Who;
  readonly owner: SigningKey;
  readonly recovery: RecoveryKey;
  readonly documents: SetUpDocuments;
};

const titles = ['You and your key', 'Recovery key', 'Read and sign'];

/** First run: make the owner's key here, keep the recovery key elsewhere, sign the four documents that everything leads to. */
export function SetUpForm({ link }: { readonly link: string }) {
  const [made, setMade] = useState<Made | null>(null);
  const [saved, setSaved] = useState(false);

  const preparing = useMutation({
    mutationFn: async (who: Who): Promise<Made> => {
      if (!(await canEd25519())) throw new ReadFault(cannotSign);
      const { name, email, mode, key } = who;
      const owner: SigningKey = key === 'passkey' ? await makePasskey(email, []) : await makeBrowserKey();
      const recovery = await makeRecoveryKey();
      const documents = actionValue(await prepareSetUp({ link, name, email, mode, owner_key: owner.entry, recovery_key: recovery.entry }));
      const fault = checkSetUpDocuments(documents, owner.entry, recovery.entry);
      if (fault !== null) throw new ReadFault({ code: 'trust_root_invalid', title: 'The documents are not what was asked for', detail: fault, fix: 'Sign nothing. Find out who answers at this address.', issues: [] });
      return { who, owner, recovery, documents };
    },
    onSuccess: setMade,
  });

  const completing = useMutation({
    mutationFn: async ({ who, owner, documents }: Made) => {
      const { name, email, mode, password } = who;
      const signed = await signHere(owner, (signer) => signSetUp(documents, owner, signer));
      actionValue(await completeSetUp({ link, name, email, mode, password, ...signed }));
      return { email, password };
    },
    // The session comes from a sign-in like any other; a whole load leaves keys and password of this page behind.
    onSuccess: async (credentials) => {
      const { signIn } = await import('next-auth/react');
      const answer = await signIn('credentials', { ...credentials, redirect: false }).catch(() => undefined);
      window.location.assign(answer?.ok === true ? '/' : '/sign-in');
    },
  });

  const at = made === null ? 0 : saved ? 2 : 1;
  return (
    <>
      <SetUpSteps steps={titles.map((title, index) => ({ key: title, title, state: index < at ? 'done' : index === at ? 'current' : 'ahead' }))} />
      {made === null ? (
        <WhoStep busy={preparing.isPending} fault={refusalOf(preparing.error)} onDone={(who) => preparing.mutate(who)} />
      ) : saved ? (
        <SignStep documents={made.documents} signer={made.owner.entry} busy={completing.isPending || completing.isSuccess} fault={refusalOf(completing.error)} onSign={() => completing.mutate(made)} onBack={() => setSaved(false)} />
      ) : (
        <RecoveryStep recovery={made.recovery} fingerprint={made.documents.fingerprint} onSaved={() => setSaved(true)} />
      )}
    </>
  );
}

const cannotSign = {
  code: 'key_kind_refused',
  title: 'This browser cannot hold the key',
  detail: 'It lacks Ed25519 keys, or this page is not served over https or from localhost.',
  fix: 'Open the link in a current Chrome, Edge, Firefox or Safari.',
  issues: [],
} as const;
