'use client';

import { useMutation } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';

import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/field';
import { FilePick } from '@/components/ui/file-pick';
import { rememberedRoot } from '@/lib/client/remembered-root';
import { canEd25519 } from '@/lib/client/verify-signature';
import { isDigest } from '@/lib/shared/ids';

import { BundleReport } from './bundle-report';

const never = () => () => undefined;

/** A file, a fingerprint, and what comes of the checks. */
export function VerifyScreen() {
  const remembered = useSyncExternalStore(never, rememberedRoot, () => null);
  const [typed, setTyped] = useState<string | null>(null);
  const [file, setFile] = useState<File | null>(null);
  const fingerprint = (typed ?? remembered ?? '').replace(/\s/g, '').toLowerCase();
  const checking = useMutation({
    mutationFn: async ({ chosen, root }: { readonly chosen: File; readonly root: string }) => {
      if (!(await canEd25519())) throw new Error('This browser lacks Ed25519, or the page is not served over https or from localhost.');
      const started = performance.now();
      // The verifier holds the whole engine; only this page needs it.
      const { checkBundle } = await import('@/lib/client/check-bundle');
      const report = await checkBundle(new Uint8Array(await chosen.arrayBuffer()), root);
      return { report, ms: Math.max(1, Math.round(performance.now() - started)) };
    },
    networkMode: 'always',
  });
  const check = (chosen: File, root: string) => { if (root === '' || isDigest(root)) checking.mutate({ chosen, root }); };
  const malformed = fingerprint !== '' && !isDigest(fingerprint);

  return (
    <>
      <form onSubmit={(event) => { event.preventDefault(); if (file) check(file, fingerprint); }}>
        <Field
          label="Fingerprint of the trust root" error={malformed ? 'Sixty-four characters, 0 to 9 and a to f.' : undefined}
          hint="As an owner gave it to you, not as the bundle says. Without it the file can only be found consistent: its issuer stays unverified."
        >
          {(control) => <Input {...control} className="mono" spellCheck={false} autoComplete="off" value={typed ?? remembered ?? ''} onChange={(event) => setTyped(event.target.value)} />}
        </Field>
        <p className="mt-5 flex flex-wrap items-center gap-3">
          <FilePick label={file === null ? 'Choose a bundle' : 'Choose another bundle'} accept=".json,application/json" onPick={(chosen) => { setFile(chosen); check(chosen, fingerprint); }} />
          {file === null ? null : <span className="meta">{file.name}</span>}
          {file === null ? null : <Button small type="submit" offBecause={checking.isPending ? 'Checking' : undefined}>Check again</Button>}
        </p>
      </form>
      {checking.error === null ? null : <Band tone="deny" icon="stale" role="alert" title="It could not be checked here.">{checking.error.message} Nothing was found out. Use <code>countersign verify</code>.</Band>}
      {checking.data === undefined ? null : <BundleReport report={checking.data.report} ms={checking.data.ms} />}
    </>
  );
}
