import { ringArcs } from '@/components/ui/ring-arcs';

interface RingProps {
  /** How many of the quorum have signed. */
  readonly signed: number;
  /** The quorum: how many have to. */
  readonly of: number;
  readonly large?: boolean;
  /** Only where "k of n" already stands in the same line. */
  readonly wordless?: boolean;
  readonly className?: string;
}

/** The quorum: one arc per signature, followed by "k of n". A ring is never progress or decoration. */
export function Ring({ signed, of, large = false, wordless = false, className }: RingProps) {
  const words = `${signed} of ${of}`;
  const drawing = (
    <svg
      className={large ? 'qring qring-l' : 'qring'} viewBox="0 0 16 16" focusable="false"
      {...(wordless ? { role: 'img', 'aria-label': `${words} signatures` } : { 'aria-hidden': true })}
    >
      {ringArcs(signed, of).map((arc) => <path key={arc.d} d={arc.d} className={arc.signed ? 'on' : undefined} />)}
    </svg>
  );
  if (wordless) return drawing;
  return <span className={className === undefined ? 'quorum' : `quorum ${className}`}>{drawing}{words}</span>;
}
