import type { ReactNode } from 'react';
import { Icon } from '@/components/ui/icon';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { countEscapes, escapeUntrusted } from '@/lib/approvals/escape-untrusted';

interface PersonQuoteProps {
  readonly by: string;
  /** "verified person, 14:02:10" */
  readonly standing?: ReactNode;
  /** "original request" */
  readonly note?: string;
  readonly text: string;
  /** The text with provenance marks in it; without it the plain text is shown. */
  readonly children?: ReactNode;
}

/** What a person wrote. Accent edge: it is what the action is measured against. */
export function PersonQuote({ by, standing, note, text, children }: PersonQuoteProps) {
  return (
    <blockquote className="quote quote-person">
      <p className="quote-h"><Icon name="person" small /><span>{by}{standing === undefined ? null : <>, {standing}</>}</span>{note === undefined ? null : <span className="t3">{note}</span>}</p>
      <p className="quote-t">“{children ?? <UntrustedText text={text} />}”</p>
    </blockquote>
  );
}

interface UnverifiedQuoteProps {
  /** Whose words these are and what they are: "ops-janitor's stated reason". */
  readonly by: string;
  readonly text: string;
}

/** What an agent or a tool claims: hatched, in quotation marks, with its author, the word "unverified" and the number of hidden characters. */
export function UnverifiedQuote({ by, text }: UnverifiedQuoteProps) {
  const hidden = countEscapes(escapeUntrusted(text));
  return (
    <blockquote className="quote hatched">
      <p className="quote-h"><Icon name="untrusted" small /><span>{by}, unverified</span><span className="t3">{hiddenWords(hidden)}</span></p>
      <p className="quote-t">&quot;<UntrustedText text={text} />&quot;</p>
    </blockquote>
  );
}

function hiddenWords(hidden: number): string {
  if (hidden === 0) return 'no hidden characters';
  return hidden === 1 ? '1 hidden character shown' : `${hidden} hidden characters shown`;
}
