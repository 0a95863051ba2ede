import { useId, type ReactNode } from 'react';

interface SectionProps {
  readonly title: ReactNode;
  /** Right of the title, in small ink. */
  readonly note?: ReactNode;
  /** Level of the heading in the page's outline. */
  readonly level?: 2 | 3;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A titled part of a pane, under a strong hairline. */
export function Section({ title, note, level = 2, className, children }: SectionProps) {
  const id = useId();
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <section className={className === undefined ? 'sec' : `sec ${className}`} aria-labelledby={id}>
      <div className="sec-h"><Heading id={id}>{title}</Heading>{note === undefined ? null : <span className="t3">{note}</span>}</div>
      {children}
    </section>
  );
}

/** A boxed section of the overview. */
export function Panel({ className, ...props }: SectionProps) {
  return <Section {...props} className={className === undefined ? 'panel' : `panel ${className}`} />;
}

/** Closes something: a total, a sealed checkpoint, a statement ready to sign. */
export function DoubleRule() {
  return <hr className="double" />;
}
