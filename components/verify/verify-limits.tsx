import { Icon } from '@/components/ui/icon';
import { Section } from '@/components/ui/section';
import { limits } from '@/lib/verify/report';

/** Said in every state, so that nobody learns it only when it is too late. */
export function VerifyLimits() {
  return (
    <Section title="What a green check does not prove">
      <ul className="limits">{limits.map((limit) => <li key={limit}><Icon name="dash" /><span>{limit}</span></li>)}</ul>
    </Section>
  );
}
