import type { JsonObject } from '@/lib/shared/json';

import { followAction } from './follow-action';
import { deniedBy, type Denied, type GuardOptions, type Ran, type Tool } from './guarded-tool';

export type ProposeMore = { readonly reason?: string; readonly dependsOn?: readonly string[]; readonly idempotencyKey?: string };

/**
 * The tool behind the plane: proposes, waits while people decide, redeems the permit, runs exactly what the plane returns, and
 * reports. Whatever goes wrong on the way, a fault or a late or unreadable answer of the plane included, is a denial. Never throws
 * for anything the plane or the tool does.
 */
export function guard<Parameters extends JsonObject>(tool: Tool, options: GuardOptions): (parameters: Parameters, more?: ProposeMore) => Promise<Ran | Denied> {
  return async (parameters, { reason, dependsOn, idempotencyKey } = {}) => {
    const proposed = await options.plane.propose(
      {
        session: options.session,
        tool: tool.tool,
        operation: tool.operation,
        parameters,
        ...(dependsOn === undefined ? {} : { depends_on: dependsOn }),
        ...(reason === undefined ? {} : { reason }),
      },
      { ...(options.signal ? { signal: options.signal } : {}), ...(idempotencyKey === undefined ? {} : { idempotencyKey }) },
    );
    return proposed.ok ? await followAction(tool, options, proposed.value) : deniedBy(proposed.error);
  };
}
