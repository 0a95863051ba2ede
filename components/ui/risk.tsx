export type RiskLevel = 'low' | 'medium' | 'high' | 'critical';

const height: Readonly<Record<RiskLevel, number>> = { low: 1, medium: 2, high: 3, critical: 4 };
const words: Readonly<Record<RiskLevel, string>> = { low: 'Low', medium: 'Medium', high: 'High', critical: 'Critical' };

interface RiskProps {
  readonly level: RiskLevel;
  /** Follows the word: "High risk". */
  readonly suffix?: string;
  readonly className?: string;
}

/** Impact as one to four bars with its word; only Critical is coloured. */
export function Risk({ level, suffix, className }: RiskProps) {
  return (
    <span className={className === undefined ? 'risk' : `risk ${className}`} data-l={height[level]}>
      <i aria-hidden><span /><span /><span /><span /></i>
      {suffix === undefined ? words[level] : `${words[level]} ${suffix}`}
    </span>
  );
}
