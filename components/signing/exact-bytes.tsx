import { UntrustedText } from '@/components/ui/untrusted-text';

/** The very text that a key signs, for whoever wants to read it. */
export function ExactBytes({ text }: { readonly text: string }) {
  return (
    <details className="exact">
      <summary className="link">Read the exact bytes</summary>
      <pre className="code json" tabIndex={0}><span className="l"><UntrustedText text={text} /></span></pre>
    </details>
  );
}
