import type { ComponentProps } from 'react';

/** Stands for the console's links in the verifier's own file: from a disk there is no page to go to, so the words stay and lead nowhere. */
export default function PlainLink({ href: _href, prefetch: _prefetch, ...rest }: ComponentProps<'span'> & { readonly href?: unknown; readonly prefetch?: unknown }) {
  return <span {...rest} />;
}
