import { permitsBrowserKeysForHighImpact } from '@/lib/authority/key-kinds';
import { neededPolicySigners } from '@/lib/authority/verify-policy-revision';
import type { ConsoleStatus } from '@/lib/contracts/console/overview';
import { errorCodes } from '@/lib/shared/error-codes';

import type { ConsoleParts } from '../console-parts';
import { noticesView } from './notices-view';
import { noticeShown } from './recoveries-view';
import { switchViews } from './switch-views';

/** What every screen states in its frame: why everything is denied if it is, what is in force, and the standing banners. */
export async function consoleStatus(parts: ConsoleParts): Promise<ConsoleStatus> {
  const [{ denied, policy, root, roster, refusal, switches, recoveries = [] }, checkpoint, roots, workspace, now, notices] = await Promise.all([
    parts.inForce.current(),
    parts.log.latestCheckpoint(),
    parts.authority.trustRoots(),
    parts.reads.workspaceName(),
    parts.reads.now(),
    noticesView(parts),
  ]);
  const nameOf = (id: string) => roster?.roster.people.find((person) => person.id === id)?.name ?? id;
  return {
    workspace,
    denied: denied && { code: denied, title: errorCodes[denied].title, detail: refusal?.detail ?? errorCodes[denied].title, because: refusal?.code ?? null },
    policy: policy && root && {
      revision: policy.revision,
      digest: policy.digest,
      signers: policy.signers.map(nameOf),
      needed: neededPolicySigners(root.root, policy.change),
    },
    checkpoint: checkpoint ? { size: Number(checkpoint.size), at: checkpoint.created_at } : null,
    set_up: roots.length === 0 ? 'open' : 'done',
    banners: {
      browser_keys: root !== null && permitsBrowserKeysForHighImpact(root.root),
      demo_key: parts.demoOwner !== null,
      policy_refused: denied === null && refusal ? { code: refusal.code, detail: refusal.detail } : null,
      switches: switchViews({ switches, roster }),
      notices_failing: notices.channels.flatMap(({ channel, failing }) => (failing === null ? [] : [{ channel, since: failing.since }])),
      recoveries: recoveries.map((one) => ({ digest: one.digest, version: one.version, by: nameOf(one.by), ...noticeShown(one) })),
      owners: [...new Set(root?.root.owners.map(({ person }) => person) ?? [])].map(nameOf),
    },
    now,
  };
}
