import type { Viewer } from '@/lib/contracts/console/viewer';
import type { Sight } from '@/lib/ports/console-reads';

/** Owners and auditors see all requests; approvers those routed to them and their own; everybody else their own. */
export function sightOf({ permissions, groups, email }: Viewer): Sight {
  if (permissions.includes('approvals.view_all')) return { kind: 'all' };
  return permissions.includes('approvals.view_routed') ? { kind: 'routed', groups, email } : { kind: 'own', email };
}
