'use client';

import { useState } from 'react';

import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Section } from '@/components/ui/section';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import type { SwitchView } from '@/lib/contracts/console/agents';
import type { PersonId } from '@/lib/shared/ids';

import { coveredBy } from './covered-by';
import { ReleaseDialog } from './release-dialog';

/** The switches that are on. Whoever is an owner releases them with a signature. */
export function ThrownSwitches({ switches, person, mayRelease }: { readonly switches: readonly SwitchView[]; readonly person: PersonId; readonly mayRelease: boolean }) {
  const [releasing, setReleasing] = useState<SwitchView | null>(null);
  if (switches.length === 0) return null;
  return (
    <Section title="Switches that are thrown" note="an owner’s signature releases them">
      <ul className="findings">
        {switches.map((one) => (
          <li key={`${one.scope} ${one.subject}`}>
            <b className="bad">{one.scope === 'all' ? 'Everything' : <>{one.scope === 'agent' ? 'Agent' : 'Tool'} <UntrustedText text={one.subject} /></>}</b>
            <span>by {one.thrown_by}, <Time at={one.thrown_at} form="date" />: {one.reason === null ? 'no receipt says why' : <UntrustedText text={one.reason} />}</span>
            {mayRelease ? <Button small onClick={() => setReleasing(one)} aria-label={`Release ${coveredBy(one)}`} icon={<Icon name="key" small />}>Release</Button> : null}
          </li>
        ))}
      </ul>
      {releasing === null ? null : <ReleaseDialog thrown={releasing} person={person} onClose={() => setReleasing(null)} />}
    </Section>
  );
}
