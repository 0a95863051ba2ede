'use client';

import { useEffect, useMemo, useState } from 'react';

import { PolicyLink } from '@/lib/client/policy-link';
import type { CheckedText, PolicyTextAsked, WorkspaceNames } from '@/lib/client/policy-desk-messages';
import { startPolicyWorker } from '@/lib/client/start-policy-worker';

import type { CodeHelp } from './code-extensions';

export type CheckState = { readonly checked: CheckedText | null; readonly fault: string | null; readonly busy: boolean };

/** Has a worker read the text, again after every pause in typing. What was found stays shown until there is something newer. */
export function usePolicyDesk({ text, format }: PolicyTextAsked, tests: string, names: WorkspaceNames) {
  const [link] = useState(() => new PolicyLink(startPolicyWorker));
  const [found, setFound] = useState<{ readonly of: string; readonly tests: string; readonly checked: CheckedText | null; readonly fault: string | null }>({ of: '', tests: '', checked: null, fault: null });

  // Outside system: the worker, which lives as long as the page.
  useEffect(() => () => link.close('The page was left.'), [link]);

  useEffect(() => {
    let live = true;
    link.ask('check', { kind: 'check', text, format, tests, names }).then(
      (checked) => { if (live) setFound({ of: text, tests, checked, fault: null }); },
      (error: unknown) => { if (live) setFound((before) => ({ ...before, of: text, tests, fault: error instanceof Error ? error.message : String(error) })); },
    );
    return () => { live = false; };
  }, [link, text, format, tests, names]);

  const help = useMemo(
    (): CodeHelp => ({
      complete: (typed, offset) => link.ask('complete', { kind: 'complete', text: typed, offset, format, names }).catch(() => null),
      explain: (typed, offset) => link.ask('explain', { kind: 'explain', text: typed, offset, format, names }).catch(() => null),
    }),
    [link, format, names],
  );
  const check: CheckState = { checked: found.checked, fault: found.fault, busy: found.of !== text || found.tests !== tests };
  return { link, help, check };
}
