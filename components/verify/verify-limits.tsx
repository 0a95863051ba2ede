import { Icon } from '@/components/ui/icon';
import { Section } from '@/components/ui/section';
import { limits } from '@/lib/verify/report';

const opening = 'It does not prove ';

/** "It does not prove that nobody held all the keys: whoever …" as its claim and the reason for it. */
function partsOf(limit: string): readonly [claim: string, because: string] {
  const told = limit.startsWith(opening) ? limit.slice(opening.length) : limit;
  const [claim = '', because = ''] = told.split(/(?<=:|,(?= only )) (.*)/su);
  const ended = because === '' ? claim : `${claim.slice(0, -1)}.`;
  return [ended.charAt(0).toUpperCase() + ended.slice(1), because.charAt(0).toUpperCase() + because.slice(1)];
}

/** Said in every state, so that nobody learns it only when it is too late. */
export function VerifyLimits() {
  return (
    <Section title="What a green check does not prove">
      <ul className="limits">
        {limits.map((limit) => {
          const [claim, because] = partsOf(limit);
          return <li key={limit}><Icon name="dash" /><span><b>{claim}</b> {because}</span></li>;
        })}
      </ul>
    </Section>
  );
}
