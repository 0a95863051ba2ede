'use client';

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { ConsoleShell } from '@/components/layout/console-shell';
import { consoleNav } from '@/components/layout/console-nav';
import { queueListQuery, statusQuery } from '@/lib/client/queries';
import { waitingCount } from '@/lib/client/waiting-count';
import type { Permission } from '@/lib/authority/roles';
import type { Viewer } from '@/lib/contracts/console/viewer';

import { useStatusNotices } from './use-status-notices';

/** Who may see which place. A place that is not listed is everybody's. */
const needs: Readonly<Record<string, readonly Permission[]>> = {
  '/approvals': ['approvals.view_routed', 'approvals.view_all'],
  '/policies': ['policy.view'],
  '/receipts': ['receipts.view'],
  '/agents': ['agents.manage', 'roster.view'],
};

/** The frame around every page: navigation, trust state and what stands over everything. Kept up to date by events. */
export function ConsoleFrame({ viewer, children }: { readonly viewer: Viewer; readonly children: ReactNode }) {
  const may = (any: readonly Permission[] | undefined) => any === undefined || any.some((permission) => viewer.permissions.includes(permission));
  const { data: status } = useQuery(statusQuery());
  const { data: queue } = useQuery({ ...queueListQuery(waitingCount), enabled: may(needs['/approvals']) });
  const nav = consoleNav(queue === undefined ? {} : { approvals: queue.counts.waiting }).filter(({ href }) => may(needs[href]));
  const policy = status?.policy ?? null;
  const notices = useStatusNotices(status, { cancelRecovery: viewer.permissions.includes('trust_root.sign'), seeApprovals: may([...(needs['/approvals'] ?? []), 'notifications.manage']) });
  return (
    <ConsoleShell
      workspace={{ name: status?.workspace ?? '' }}
      nav={nav}
      policy={policy === null ? null : { revision: policy.revision, signed: policy.signers.length, of: Math.max(policy.needed, policy.signers.length) }}
      {...(status?.denied?.because ? { policyRefusal: { code: status.denied.because, detail: status.denied.detail } } : {})}
      checkpoint={status?.checkpoint ?? null}
      viewer={{ name: viewer.name, roles: viewer.roles.length === 0 ? 'No role in the signed roster' : viewer.roles.join(', ') }}
      browserKeysSignHighImpact={status?.banners.browser_keys ?? false}
      demo={status?.banners.demo_key ?? false}
      {...(notices === undefined ? {} : { notices })}
    >
      {children}
    </ConsoleShell>
  );
}
