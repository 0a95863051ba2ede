import { describe, expect, test } from 'vitest';

import { testRoot, listedKey } from '@/lib/testing/authority-documents';

import { mayAs, permissions, permissionsByRole, roles, type Permission, type Role } from './roles';
import { serviceKeyAt, serviceKeysOf } from './service-keys';

const holders = (permission: Permission): readonly Role[] => roles.filter((role) => mayAs([role], permission));

describe('roles', () => {
  test.each<[Permission, readonly Role[]]>([
    ['approvals.decide', ['approver']],
    ['policy.sign', ['owner']],
    ['policy.apply', ['owner']],
    ['roster.sign', ['owner']],
    ['trust_root.sign', ['owner']],
    ['switch.release', ['owner']],
    ['agents.restore', ['owner']],
    ['switch.throw', ['owner', 'admin']],
    ['grants.issue', ['owner']],
    ['grants.revoke', ['owner', 'admin']],
    ['policy.draft', ['owner', 'admin']],
    ['people.invite', ['admin']],
    ['agents.manage', ['admin']],
    ['receipts.export', ['owner', 'auditor']],
    ['requests.view_own', ['owner', 'admin', 'approver', 'auditor', 'requester']],
  ])('%s belongs to %j', (permission, wanted) => {
    expect(holders(permission)).toEqual(wanted);
  });

  test('an auditor changes nothing and decides nothing', () => {
    const changing = permissionsByRole.auditor.filter((permission) => /\.(draft|sign|apply|decide|invite|suspend|manage|throw|release|restore|issue|revoke)$/.test(permission));
    expect(changing).toEqual([]);
  });

  test('no permission is out of reach, and no role means none', () => {
    expect(permissions.filter((permission) => holders(permission).length === 0)).toEqual([]);
    expect(permissions.filter((permission) => mayAs([], permission))).toEqual([]);
  });
});

describe('service keys', () => {
  const plane = listedKey('plane').entry;
  const root = testRoot({ services: [{ key: plane, role: 'plane', from: 10, to: 20 }] });

  test.each([[9, false], [10, true], [20, true], [21, false]])('at log position %i the key holds: %s', (index, holds) => {
    expect(serviceKeyAt(root, plane.id, index) !== undefined).toBe(holds);
    expect(serviceKeysOf(root, 'plane', index).length === 1).toBe(holds);
    expect(serviceKeysOf(root, 'console', index)).toEqual([]);
  });
});
