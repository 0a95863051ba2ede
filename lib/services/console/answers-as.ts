import { mayAnswerAs } from '@/lib/approvals/verify-supplied-fact';
import type { Viewer } from '@/lib/contracts/console/viewer';
import type { InForce } from '@/lib/services/in-force';

import { registrantOf } from './person-signature';

/**
 * As what somebody may say an attribute in a session: the first source that they may speak for, of those whom a question was put to
 * (`asked`), else of the policy's; null when there is none.
 */
export function answersAs(inForce: InForce, { person: id, email, groups }: Pick<Viewer, 'person' | 'email' | 'groups'>, name: string, session: { readonly human: string; readonly agent: string }, asked?: readonly string[]): string | null {
  const listed = asked ?? inForce.policy?.compiled.information.get(name)?.from ?? [];
  const registeredBy = registrantOf(inForce, session.agent);
  return listed.find((source) => mayAnswerAs({ id, email, groups }, source, session.human, registeredBy).ok) ?? null;
}
