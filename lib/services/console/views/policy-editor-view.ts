import type { PolicyEditorView } from '@/lib/contracts/console/policy-drafts';
import type { PersonId } from '@/lib/shared/ids';

import type { ConsoleParts } from '../console-parts';

/** What the editor opens with. The names are the roster's and the agents' of now; they complete what is typed and check nothing. */
export async function policyEditorView(parts: Pick<ConsoleParts, 'policyDrafts' | 'inForce' | 'credentials'>, person: PersonId): Promise<PolicyEditorView> {
  const [{ policy, roster }, draft, agents] = await Promise.all([parts.inForce.current(), parts.policyDrafts.of(person), parts.credentials.agents()]);
  const people = roster?.roster.people ?? [];
  return {
    in_force: policy && { revision: policy.revision, digest: policy.digest, text: policy.text, format: policy.format, rules: policy.compiled.rules.length },
    draft: draft ?? null,
    groups: [...new Set(people.flatMap(({ groups }) => groups))].sort().map((name) => ({ name, people: people.filter(({ groups, suspended }) => suspended !== true && groups.includes(name)).length })),
    agents: [...agents.keys()].sort(),
  };
}
