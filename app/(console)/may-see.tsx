import type { ReactNode } from 'react';

import { Page } from '@/components/layout/board';
import { Forbidden } from '@/components/ui/pane-states';
import { can } from '@/lib/auth/viewer-of';
import type { Permission } from '@/lib/authority/roles';
import type { Viewer } from '@/lib/contracts/console/viewer';

interface MaySeeProps {
  readonly viewer: Viewer;
  readonly permission: Permission | readonly Permission[];
  readonly title: string;
  /** "the receipts" */
  readonly what: string;
  /** "Owners and auditors may." */
  readonly whoMay: string;
  readonly children: ReactNode;
}

/** The page for those who may see it; for the others, who may. The reads behind it check the same again. */
export function MaySee({ viewer, permission, title, what, whoMay, children }: MaySeeProps) {
  return can(viewer, permission) ? children : <Page title={title}><Forbidden what={what} whoMay={whoMay} /></Page>;
}
