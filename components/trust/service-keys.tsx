'use client';

import { useState } from 'react';

import { Button } from '@/components/ui/button';
import { Digest } from '@/components/ui/digest';
import { Section } from '@/components/ui/section';
import { Table, Th } from '@/components/ui/table';
import { unreachable } from '@/lib/authority/next-trust-root';
import type { ServiceKey } from '@/lib/authority/trust-root';

import type { TrustPartProps } from './owners';
import { ServiceKeyDialog } from './service-key-dialog';

type Asking = { readonly service: ServiceKey; readonly does: 'rotate' | 'revoke' };

/** With which keys the processes sign receipts, permits and checkpoints, and for which positions of the log. */
export function ServiceKeys({ view, onChange }: TrustPartProps) {
  const [asking, setAsking] = useState<Asking | null>(null);
  return (
    <Section title="Service keys" note="each for a range of the log">
      <div className="scroll-x" tabIndex={0} role="group" aria-label="Service keys">
        <Table caption="Service keys">
          <thead><tr><Th>Process</Th><Th>Key</Th><Th>Positions</Th><Th><span className="vh">Change</span></Th></tr></thead>
          <tbody>
            {view.root.services.map((service) => (
              <tr key={service.key.id}>
                <td><b>{service.role}</b></td>
                <td><Digest value={service.key.id} length="tiny" /></td>
                <td>{rangeWords(service)}</td>
                <td className="right">
                  {onChange === undefined || service.from === unreachable ? null : (
                    <span className="inline-flex gap-2">
                      {service.to === undefined ? <Button small onClick={() => setAsking({ service, does: 'rotate' })} aria-label={`Rotate the key of the ${service.role}`}>Rotate</Button> : null}
                      <Button small onClick={() => setAsking({ service, does: 'revoke' })} aria-label={`Withdraw the key ${service.key.id.slice(0, 8)} of the ${service.role}`}>Withdraw</Button>
                    </span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      </div>
      {asking === null || onChange === undefined ? null : (
        <ServiceKeyDialog
          service={asking.service} does={asking.does} size={view.log_size} onClose={() => setAsking(null)}
          onChange={(change) => { setAsking(null); onChange(asking.does === 'rotate' ? `Rotate the key of the ${asking.service.role}` : `Withdraw a key of the ${asking.service.role}`, { service: change }); }}
        />
      )}
    </Section>
  );
}

function rangeWords({ from, to }: ServiceKey): string {
  if (from === unreachable) return 'none: withdrawn entirely';
  return to === undefined ? `${from.toLocaleString('en')} and on` : `${from.toLocaleString('en')} to ${to.toLocaleString('en')}`;
}
