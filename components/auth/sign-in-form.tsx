'use client';

import { useMutation } from '@tanstack/react-query';
import { signIn } from 'next-auth/react';
import { useState } from 'react';

import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/field';

type Refusal = { readonly title: string; readonly rest: string };

const refused: Refusal = { title: 'No account has this address and password.', rest: 'You are not signed in. Check both, or ask an owner for a new password.' };
const tooMany: Refusal = { title: 'Too many tries.', rest: 'You are not signed in. Wait a quarter of an hour.' };
const silent: Refusal = { title: 'The console’s server did not answer.', rest: 'You are not signed in. Try again in a moment.' };

/** Address and password. A session opens the console; it approves nothing by itself. */
export function SignInForm({ goTo }: { readonly goTo: string }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const signing = useMutation({
    mutationFn: async (): Promise<Refusal | null> => {
      const answer = await signIn('credentials', { email, password, redirect: false }).catch(() => undefined);
      if (answer === undefined) return silent;
      if (answer.ok) return null;
      return answer.error === 'rate_limited' ? tooMany : answer.error === 'unavailable' ? silent : refused;
    },
    // A whole load, so that nothing read by somebody else stays in this page's memory.
    onSuccess: (refusal) => { if (refusal === null) window.location.assign(goTo); },
  });
  const refusal = signing.data ?? null;
  const leaving = signing.isSuccess && refusal === null;
  return (
    <form onSubmit={(event) => { event.preventDefault(); if (!signing.isPending && !leaving) signing.mutate(); }}>
      <Field label="E-mail">
        {(control) => <Input {...control} type="email" name="email" autoComplete="username" required autoFocus value={email} onChange={(event) => setEmail(event.target.value)} />}
      </Field>
      <Field label="Password">
        {(control) => <Input {...control} type="password" name="password" autoComplete="current-password" required value={password} onChange={(event) => setPassword(event.target.value)} />}
      </Field>
      {refusal === null ? null : <Band tone="deny" icon="stale" role="alert" title={refusal.title}>{refusal.rest}</Band>}
      <p className="mt-5 flex flex-wrap gap-2"><Button kind="primary" type="submit" offBecause={signing.isPending || leaving ? 'Signing in' : undefined}>Sign in</Button></p>
    </form>
  );
}
