import { z } from 'zod';

import { revisionQuery } from '@/lib/contracts/console/policies';
import { policyEditorView } from '@/lib/services/console/views/policy-editor-view';
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

export const policyEditorRead = defineRead({
  permission: 'policy.draft',
  input: z.strictObject({}),
  handler: async ({ parts, viewer }) => ok(await policyEditorView(parts, viewer.person)),
});

export const readPolicies = () => policiesRead.read({});
export const readPolicyEditor = () => policyEditorRead.read({});
export const readRevision = revisionRead.read;
