import { UntrustedText } from '@/components/ui/untrusted-text';

/** A policy's exact text with line numbers. `marked`: lines that a finding points at. */
export function PolicyText({ text, marked }: { readonly text: string; readonly marked?: ReadonlySet<number> }) {
  return (
    <pre className="code json" tabIndex={0}>
      {text.replace(/\n$/, '').split('\n').map((line, index) => <span className={marked?.has(index + 1) === true ? 'l rem' : 'l'} key={index}><UntrustedText text={line} /></span>)}
    </pre>
  );
}
