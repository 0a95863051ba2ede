import { permitLabels } from '@/lib/context/permit-labels';
import type { CanonicalAction } from '@/lib/mediate/action';

import type { PolicySettings } from './policy';

/** Labels that issuing a permit for this action raises under this policy: the catalogue's, else the policy's `unclassified`. */
export const labelsFor = (action: CanonicalAction, policy: Pick<PolicySettings, 'defaults'>): readonly string[] =>
  permitLabels(action, policy.defaults.unclassified);
