interface ScaleProps {
  readonly label: string;
  /** 0 to 1. */
  readonly value: number;
  /** What a rule expects, 0 to 1. */
  readonly expected?: number;
}

/** A measure between 0 and 1 and the mark a rule expects it to reach. */
export function Scale({ label, value, expected }: ScaleProps) {
  const written = value.toFixed(2);
  const wanted = expected?.toFixed(2);
  return (
    <div className="scale">
      <span>{label}</span>
      <svg className="scale-bar" role="img" aria-label={wanted === undefined ? `${written} of 1` : `${written} of 1; the rule expects ${wanted}`} focusable="false">
        <rect className="base" y="0" width="100%" height="6" rx="1" />
        <rect className="at" y="0" width={percent(value)} height="6" rx="1" />
        {expected === undefined ? null : (
          <>
            <rect className="th" x={percent(expected)} y="-5" width="2" height="16" />
            <text x={percent(expected)} dx={expected > 0.7 ? -6 : 6} y="21" textAnchor={expected > 0.7 ? 'end' : 'start'}>rule expects {wanted}</text>
          </>
        )}
      </svg>
      <b className="right num">{written}</b>
    </div>
  );
}

/** A horizontal share of a whole, 0 to 1. `hue` picks a decision's chart fill. */
export function ShareBar({ share, hue }: { readonly share: number; readonly hue?: 'allow' | 'deny' | 'modify' | 'step' | 'defer' }) {
  return <svg className="hbar" data-d={hue} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden focusable="false"><rect width={Math.min(100, Math.max(0, share * 100))} height="4" /></svg>;
}

function percent(part: number): string {
  return `${Math.min(100, Math.max(0, Math.round(part * 1_000) / 10))}%`;
}
