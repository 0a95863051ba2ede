'use client';

import { Button } from '@/components/ui/button';
import { ErrorState } from '@/components/ui/pane-states';
import { Page } from '@/components/layout/board';

/** A fault while drawing a page. The digest names it in the server's log. */
export default function ConsoleError({ error, reset }: { readonly error: Error & { readonly digest?: string }; readonly reset: () => void }) {
  return (
    <Page title="This page could not be drawn">
      <ErrorState title="A fault in the console stopped it." {...(error.digest === undefined ? {} : { code: error.digest })} action={<Button small onClick={reset}>Draw it again</Button>}>
        Nothing was decided or changed by that. If it happens again, give the code to whoever looks after this console.
      </ErrorState>
    </Page>
  );
}
