import { UntrustedText } from '@/components/ui/untrusted-text';

/** A sentence (`ViewText`): our words plain, everybody else's exact and escaped. */
export function ViewSentence({ parts }: { readonly parts: readonly { readonly text: string; readonly from: string }[] }) {
  return parts.map((part, index) => (part.from === 'countersign' ? part.text : <code key={index}><UntrustedText text={part.text} /></code>));
}
