'use client';

import Link from 'next/link';

import { Page } from '@/components/layout/board';
import { FactsList } from '@/components/ui/facts-list';
import { Section } from '@/components/ui/section';
import type { Permission } from '@/lib/authority/roles';
import type { Viewer } from '@/lib/contracts/console/viewer';

import { Enrolments } from './enrolments';
import { Notifications } from './notifications';
import { OwnKeys } from './own-keys';
import { PasswordForm } from './password-form';
import { PendingRosters } from './pending-rosters';
import { People } from './people';

/** Who one is, one’s keys, and, for owners, everybody’s. */
export function SettingsScreen({ viewer }: { readonly viewer: Viewer }) {
  const may = (permission: Permission) => viewer.permissions.includes(permission);
  return (
    <Page title="Settings" lead={`${viewer.name}, ${viewer.email}`} actions={may('roster.view') ? <Link className="link" href="/settings/trust">Trust root and owners</Link> : undefined}>
      <Section title="You" note="from the signed roster">
        <FactsList facts={[
          { label: 'Roles', value: viewer.roles.length === 0 ? 'none: an owner has to sign a roster that lists you' : viewer.roles.join(', ') },
          { label: 'Groups', value: viewer.groups.length === 0 ? 'none' : viewer.groups.join(', ') },
        ]} />
      </Section>
      {may('key.enrol_own') ? <OwnKeys person={viewer.person} /> : null}
      {may('roster.sign') ? <Enrolments person={viewer.person} /> : null}
      {may('roster.sign') ? <PendingRosters person={viewer.person} /> : null}
      {may('roster.view') ? <People person={viewer.person} maySign={may('roster.sign')} mayInvite={may('people.invite')} maySuspend={may('people.suspend')} /> : null}
      {may('notifications.manage') ? <Notifications /> : null}
      <PasswordForm />
    </Page>
  );
}
