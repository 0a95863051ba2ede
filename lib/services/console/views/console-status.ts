import { permitsBrowserKeysForHighImpact } from '@/lib/authority/key-kinds';
import { neededPolicySigners } from '@/lib/authority/verify-policy-revision';
import type { ConsoleStatus } from '@/lib/contracts/console/overview';
import { errorCodes } from '@/lib/shared/error-codes';

import type { ConsoleParts } from '../console-parts';
import { unproved } from '../policy-base';
import { switchViews } from './switch-views';

/** What every screen states in its frame: why everything is denied if it is, what is in force, and the standing banners. */
export async function consoleStatus(parts: ConsoleParts): Promise<ConsoleStatus> {
  const [{ denied, policy, root, roster, refusal, switches }, checkpoint, roots, workspace, now] = await Promise.all([
    parts.inForce.current(),
    parts.log.latestCheckpoint(),
    parts.authority.trustRoots(),
    parts.reads.workspaceName(),
    parts.reads.now(),
  ]);
  const nameOf = (id: string) => roster?.roster.people.find((person) => person.id === id)?.name ?? id;
  return {
    workspace,
    denied: denied && { code: denied, title: errorCodes[denied].title, detail: refusal?.detail ?? errorCodes[denied].title, because: refusal?.code ?? null },
    policy: policy && root && {
      revision: policy.revision,
      digest: policy.digest,
      signers: policy.signers.map(nameOf),
      needed: neededPolicySigners(root.root, unproved),
    },
    checkpoint: checkpoint ? { size: Number(checkpoint.size), at: checkpoint.created_at } : null,
    set_up: roots.length === 0 ? 'open' : 'done',
    banners: {
      browser_keys: root !== null && permitsBrowserKeysForHighImpact(root.root),
      demo_key: parts.demoOwner !== null,
      policy_refused: denied === null && refusal ? { code: refusal.code, detail: refusal.detail } : null,
      switches: switchViews({ switches, roster }),
      owners: [...new Set(root?.root.owners.map(({ person }) => person) ?? [])].map(nameOf),
    },
    now,
  };
}
