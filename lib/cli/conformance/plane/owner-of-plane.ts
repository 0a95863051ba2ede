import { parsePolicyStatement, signPolicy, signPolicyStatement } from '@/lib/authority/policy-statement';
import { applySignedRevision } from '@/lib/services/proposals/apply-signed-revision';
import { preparePolicy } from '@/lib/services/console/prepare-policy';
import { registerAgent } from '@/lib/services/console/register-agent';
import { suspendAgent } from '@/lib/services/console/suspend-agent';
import { throwSwitch } from '@/lib/services/console/throw-switch';
import { envelopeText } from '@/lib/shared/dsse';
import { utf8 } from '@/lib/shared/encoding';
import type { PersonId } from '@/lib/shared/ids';
import { ok, type Result } from '@/lib/shared/result';

import type { Cast } from '../call';
import { valueOf } from './people-of-plane';
import type { PlaneStage } from './plane-stage';

/** What owners do between and during cases: policies, switches, agents. */
export function ownerOfPlane({ parts, owner }: PlaneStage, person: PersonId, personOf: (email: string) => PersonId) {
  let inForce = '';
  return {
    loadPolicy: async (text: string): Promise<Result<unknown>> => {
      if (text === inForce) return ok(null);
      const prepared = await preparePolicy(parts, { text, format: 'json' });
      if (!prepared.ok) return prepared;
      const next = valueOf(parsePolicyStatement(utf8(prepared.value.policy_revision.text)));
      const [signature, statement] = await Promise.all([signPolicy(utf8(text), [owner.signer]), signPolicyStatement(next, [owner.signer])]);
      const applied = await applySignedRevision(parts, { kind: 'person', id: person }, { text, format: 'json', signature: envelopeText(signature), statement: envelopeText(statement), origin: 'file' });
      if (applied.ok) inForce = text;
      return applied;
    },
    /** For every agent by itself: what covers all of them could not be taken back without an owner's ceremony. */
    stopAgents: async (agents: readonly string[]): Promise<void> => {
      for (const subject of agents) valueOf(await throwSwitch(parts, person, { scope: 'agent', subject, reason: 'As the case has it.' }));
    },
    suspend: async (agent: string): Promise<void> => {
      valueOf(await suspendAgent(parts, person, agent));
    },
    /** Another agent of the same kind: what was stopped or suspended stays so. Its token. */
    register: async (id: string, { role, scope, registered_by }: Cast['agents'][number]): Promise<string> =>
      valueOf(await registerAgent(parts, personOf(registered_by), { agent: id, role, scope, explain: false, expires_in_days: 1 })).token,
  };
}
