import { CopyButton } from '@/components/ui/copy-button';
import { Section } from '@/components/ui/section';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { byteLength } from '@/lib/client/verify-receipt';
import type { ReceiptDetail } from '@/lib/contracts/console/receipts';
import { parseEnvelope, payloadText } from '@/lib/shared/dsse';

/** Statement, envelope and proof, to read and to copy. The copy is the exact text; the statement is drawn indented. */
export function ExactTexts({ detail }: { readonly detail: ReceiptDetail }) {
  const envelope = parseEnvelope(detail.envelope);
  const statement = envelope.ok ? payloadText(envelope.value) : undefined;
  return (
    <>
      {statement === undefined ? null : <Text title="Signed statement" note={`canonical form, ${byteLength(statement).toLocaleString('en')} bytes`} value={statement} pretty open />}
      <Text title="Envelope" note="DSSE, Ed25519" value={detail.envelope} />
      <Text title="Inclusion proof" note={detail.proof === null ? 'no checkpoint covers it yet' : 'C2SP tlog-proof'} value={detail.proof ?? ''} />
    </>
  );
}

function Text({ title, note, value, pretty = false, open = false }: { readonly title: string; readonly note: string; readonly value: string; readonly pretty?: boolean; readonly open?: boolean }) {
  if (value === '') return null;
  const shown = pretty ? indented(value) : value;
  return (
    <Section title={title} note={<>{note}<CopyButton value={value} what={title.toLowerCase()} /></>} level={3}>
      <details open={open}>
        <summary className="link"><span className="when-closed">Show</span><span className="when-open">Hide</span></summary>
        <pre className="code json" tabIndex={0}>{shown.split('\n').map((line, index) => <span className="l" key={index}><Line text={line} keyed={pretty} /></span>)}</pre>
      </details>
    </Section>
  );
}

/** Names of fields recede, so that values can be read down the page. */
function Line({ text, keyed }: { readonly text: string; readonly keyed: boolean }) {
  const [, space, name, rest] = (keyed ? /^(\s*)("(?:[^"\\]|\\.)*")(: .*)$/.exec(text) : null) ?? [];
  if (name === undefined) return <UntrustedText text={text} />;
  return <>{space}<span className="k"><UntrustedText text={name} /></span><UntrustedText text={rest ?? ''} /></>;
}

function indented(canonical: string): string {
  try {
    const value: unknown = JSON.parse(canonical);
    return JSON.stringify(value, null, 2);
  } catch {
    return canonical;
  }
}
