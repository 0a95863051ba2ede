import type { Metadata } from 'next';

import { SettingsScreen } from '@/components/settings/settings-screen';
import { can } from '@/lib/auth/viewer-of';
import { queryKeys } from '@/lib/client/query-keys';
import { Seeded, type Seed } from '@/lib/client/seeded';
import { readEnrolments, readOwnKeys } from '@/lib/server/reads/keys';
import { readNotices } from '@/lib/server/reads/notices';
import { readPeople } from '@/lib/server/reads/people';

import { requireViewer } from '../require-viewer';

export const metadata: Metadata = { title: 'Settings' };

export default async function SettingsPage() {
  const viewer = await requireViewer();
  const seeds: Seed[] = [{ key: queryKeys.ownKeys, read: await readOwnKeys() }];
  if (can(viewer, 'roster.sign')) seeds.push({ key: queryKeys.enrolments, read: await readEnrolments() });
  if (can(viewer, 'roster.view')) seeds.push({ key: queryKeys.people, read: await readPeople() });
  if (can(viewer, 'notifications.manage')) seeds.push({ key: queryKeys.notices, read: await readNotices() });
  return (
    <Seeded seeds={seeds}>
      <SettingsScreen viewer={viewer} />
    </Seeded>
  );
}
