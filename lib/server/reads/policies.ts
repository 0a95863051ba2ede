import { z } from 'zod';

import { revisionQuery } from '@/lib/contracts/console/policies';
import { policiesView, revisionText } from '@/lib/services/console/views/policies-view';
import { ok } from '@/lib/shared/result';

import { defineRead } from '../define-read';

export const policiesRead = defineRead({
  permission: 'policy.view',
  input: z.strictObject({}),
  handler: async ({ parts }) => ok(await policiesView(parts)),
});

export const revisionRead = defineRead({
  permission: 'policy.view',
  input: revisionQuery,
  handler: ({ parts }, { revision }) => revisionText(parts, revision),
});

export const readPolicies = () => policiesRead.read({});
export const readRevision = revisionRead.read;
