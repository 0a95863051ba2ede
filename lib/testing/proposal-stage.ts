import type { PolicyInForce } from '@/lib/services/in-force';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import type { ProposalId } from '@/lib/shared/ids';

import { testConsole } from './console-fixture';
import { startTestPlane, type TestPlane } from './plane-fixture';
import { planePolicy } from './plane-policy';
import type { Signatory } from './proposing';

export type ProposalStage = {
  readonly plane: TestPlane;
  readonly parts: ConsoleParts;
  /** A second console on the same database. */
  readonly other: ConsoleParts;
  readonly olga: Signatory;
  readonly stateOf: (id: ProposalId) => Promise<string | undefined>;
  readonly inForce: () => Promise<PolicyInForce>;
  readonly stop: () => Promise<void>;
};

/** A text with a further rule at the end. */
export const withRule = (text: string, id: string): string => `${text}  - id: ${id}\n    match: { tool: notes, operation: read }\n    action: DENY\n    reason: "Not these."\n`;

/** A plane and two consoles on one database, and its owner. */
export async function startProposalStage(): Promise<ProposalStage> {
  const plane = await startTestPlane(planePolicy);
  const [first, second] = [await testConsole(plane), await testConsole(plane)];
  const { parts } = first;
  return {
    plane, parts, other: second.parts,
    olga: { person: plane.personOf('owner'), key: plane.owner },
    stateOf: async (id) => (await parts.proposals.find(id))?.state,
    inForce: async () => {
      const { policy } = await parts.inForce.refresh();
      if (!policy) throw new Error('Nothing is in force.');
      return policy;
    },
    stop: async () => {
      await Promise.all([first.close(), second.close()]);
      await plane.stop();
    },
  };
}
