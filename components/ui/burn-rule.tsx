import { shareLeft, type CountdownTone } from '@/lib/client/countdown';

interface BurnRuleProps {
  readonly leftMs: number;
  readonly totalMs: number;
  readonly tone: CountdownTone;
}

/** The hairline that shrinks as the automatic denial nears. Decoration to a screen reader: the countdown says it in words. */
export function BurnRule({ leftMs, totalMs, tone }: BurnRuleProps) {
  const left = Math.round(shareLeft(leftMs, totalMs) * 100) / 100;
  return (
    <svg className="burn" data-t={tone} viewBox="0 0 100 2" preserveAspectRatio="none" aria-hidden focusable="false">
      <rect width={left} height="2" />
    </svg>
  );
}
