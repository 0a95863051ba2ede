import { escapeUntrusted, type Segment } from '@/lib/approvals/escape-untrusted';

const because: Readonly<Record<Extract<Segment, { kind: 'escape' }>['reason'], string>> = {
  control: 'control character', bidi: 'reorders text', invisible: 'has no width', space: 'looks like a space', mark: 'draws over its neighbour',
  lookalike: 'looks like another character', symbol: 'could pass for a sign of this page', private: 'has no agreed meaning',
};

/** Text nobody vouched for, whole and in stored order, with every character that hides, reorders or imitates as its boxed code point. */
export function UntrustedText({ text }: { readonly text: string }) {
  return <bdo dir="ltr" className="untrusted">{escapeUntrusted(text).map((segment, index) => <SegmentView key={index} segment={segment} />)}</bdo>;
}

/** One piece of an escaped value. */
export function SegmentView({ segment }: { readonly segment: Segment }) {
  if (segment.kind === 'text') return segment.text;
  return <span className="esc" title={because[segment.reason]}>{segment.label}</span>;
}
