import { nodeSha256 } from '@/lib/server/node-sha256';
import { digestOf, utf8 } from '@/lib/shared/encoding';

import { agentOf, type Cast } from './play-scenario';
import { changedText, type ProposedChange } from './proposed-changes';

/** The agents ask for their changes to the demo's first policy. One that is refused, because another revision is in force by now, is only said. */
export async function proposeChanges(cast: Cast, changes: readonly ProposedChange[], policyText: string, log: (line: string) => void): Promise<void> {
  const base = { revision: 1, digest: digestOf(nodeSha256, utf8(policyText)) };
  for (const change of changes) {
    const { agent, reason } = change;
    const made = await agentOf(cast, agent).proposeChange({ base, text: changedText(policyText, change), format: 'yaml', reason });
    log(made.ok ? `${agent}: proposed a change to the policy (${made.value.id})` : `${agent}: proposal refused (${made.error.code})`);
  }
}
