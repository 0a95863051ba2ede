import { CopyButton } from '@/components/ui/copy-button';
import { Section } from '@/components/ui/section';
import { UntrustedText } from '@/components/ui/untrusted-text';

interface ExactTextProps {
  readonly title: string;
  readonly note: string;
  readonly value: string;
  /** Indented for reading; the copy stays exact. */
  readonly pretty?: boolean;
}

/** A document as it was signed, to read and to copy. */
export function ExactText({ title, note, value, pretty = false }: ExactTextProps) {
  return (
    <Section title={title} note={<>{note}<CopyButton value={value} what={title.toLowerCase()} /></>} level={3}>
      <details>
        <summary className="link"><span className="when-closed">Show</span><span className="when-open">Hide</span></summary>
        <pre className="code json" tabIndex={0}>{(pretty ? indented(value) : value).split('\n').map((line, index) => <span className="l" key={index}><UntrustedText text={line} /></span>)}</pre>
      </details>
    </Section>
  );
}

function indented(canonical: string): string {
  try {
    const value: unknown = JSON.parse(canonical);
    return JSON.stringify(value, null, 2);
  } catch {
    return canonical;
  }
}
