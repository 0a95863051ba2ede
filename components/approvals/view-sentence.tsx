import { UntrustedText } from '@/components/ui/untrusted-text';
import type { ViewText } from '@/lib/approvals/view-text';

/** A sentence of the view: our words plain, everybody else's exact and escaped. */
export function ViewSentence({ parts }: { readonly parts: ViewText }) {
  return parts.map((part, index) => (part.from === 'countersign' ? part.text : <code key={index}><UntrustedText text={part.text} /></code>));
}
