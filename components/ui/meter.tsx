interface MeterProps {
  /** What is measured, for the name: "Highest classification seen". */
  readonly label: string;
  /** From least to most. */
  readonly levels?: readonly string[];
  /** The highest level reached; null when none was. */
  readonly reached: string | null;
}

const classifications = ['Public', 'Internal', 'Confidential', 'Restricted'] as const;

/** Steps of a scale with the highest one reached in strong ink. Facts are straight bars; a ring is only ever a signature. */
export function Meter({ label, levels = classifications, reached }: MeterProps) {
  const top = reached === null ? -1 : levels.findIndex((level) => level.toLowerCase() === reached.toLowerCase());
  return (
    <div className="ladder" role="img" aria-label={`${label}: ${reached ?? 'none'}`}>
      {levels.map((level, index) => <span key={level} className={index === top ? 'top-seen' : index < top ? 'seen' : undefined}>{level}</span>)}
    </div>
  );
}

/** A boxed word such as PII. */
export function Tag({ children }: { readonly children: string }) {
  return <span className="tag">{children}</span>;
}
