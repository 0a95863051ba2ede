import type { CompiledPolicy } from '@/lib/engine/policy';
import type { SessionRow } from '@/lib/ports/session-store';

const day = 24 * 3600;

/** A session ends when closed, at its greatest age (a child's is that of the first session above it), or idle. Without a policy the defaults of the language hold. */
export function sessionStateAt(
  row: Pick<SessionRow, 'state' | 'began_at' | 'last_at'>,
  policy: Pick<CompiledPolicy, 'sessions'> | null,
  now: string,
): 'open' | 'closed' | 'expired' {
  if (row.state === 'closed') return 'closed';
  const { ttl_s, idle_s } = policy?.sessions ?? { ttl_s: day, idle_s: day / 3 };
  const at = Date.parse(now);
  const old = at - Date.parse(row.began_at) >= ttl_s * 1000;
  const idle = at - Date.parse(row.last_at) >= idle_s * 1000;
  return old || idle ? 'expired' : 'open';
}
