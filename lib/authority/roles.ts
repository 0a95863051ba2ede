/** What a person of the roster is there for. One person may hold several; separation of duties is checked per object. */
export const roles = ['owner', 'admin', 'approver', 'auditor', 'requester'] as const;
export type Role = (typeof roles)[number];

/**
 * Everything a session in the console can be used for. What loosens needs a signature as well, which this table does
 * not give: `policy.sign` opens the page, the trust root decides whose signature counts.
 */
export const permissions = [
  'overview.view',
  'approvals.view_routed',
  'approvals.view_all',
  'approvals.decide',
  'requests.view_own',
  'requests.withdraw_own',
  'policy.view',
  'policy.propose',
  'policy.draft',
  'policy.sign',
  'policy.apply',
  'receipts.view',
  'receipts.export',
  'roster.view',
  'roster.sign',
  'trust_root.sign',
  'people.invite',
  'people.suspend',
  'agents.manage',
  'notifications.manage',
  'switch.throw',
  'switch.release',
  'agents.restore',
  'grants.issue',
  'grants.revoke',
  'labels.lower',
  'facts.supply',
  'key.enrol_own',
] as const;
export type Permission = (typeof permissions)[number];

const everyone: readonly Permission[] = ['overview.view', 'requests.view_own', 'requests.withdraw_own', 'facts.supply', 'policy.propose', 'key.enrol_own'];

export const permissionsByRole: { readonly [R in Role]: readonly Permission[] } = {
  owner: [
    ...everyone,
    'approvals.view_all', 'policy.view', 'policy.draft', 'policy.sign', 'policy.apply', 'receipts.view', 'receipts.export',
    'roster.view', 'roster.sign', 'trust_root.sign', 'people.suspend', 'switch.throw', 'switch.release', 'agents.restore', 'grants.issue', 'grants.revoke', 'labels.lower',
  ],
  admin: [
    ...everyone,
    'policy.view', 'policy.draft', 'roster.view', 'people.invite', 'people.suspend', 'agents.manage', 'notifications.manage', 'switch.throw', 'grants.revoke',
  ],
  approver: [...everyone, 'approvals.view_routed', 'approvals.decide', 'policy.view'],
  auditor: [...everyone, 'approvals.view_all', 'policy.view', 'receipts.view', 'receipts.export', 'roster.view'],
  requester: everyone,
};

export const mayAs = (held: readonly Role[], permission: Permission): boolean =>
  held.some((role) => permissionsByRole[role].includes(permission));
