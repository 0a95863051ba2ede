import { createPlaneClient } from '@/lib/pep/sdk/plane-client';

import { demoAgents } from './demo-agents';
import { tokenOf, type DemoCredential } from './demo-secrets';
import { freshWorld } from './fresh-world';
import type { Cast } from './play-scenario';
import { untilPlaneAnswers } from './until-plane-answers';

/** Everybody with a credential of their own, and a world of their own to work in. */
export function makeCast(planeUrl: string, credentials: readonly DemoCredential[], signal: AbortSignal): Cast {
  const client = (id: string) => createPlaneClient({ url: planeUrl, token: tokenOf(credentials, id) });
  return {
    agents: new Map(demoAgents.map(({ id }) => [id, client(id)])),
    desk: client('demo-desk'),
    gate: client('demo-gate'),
    world: freshWorld(),
    untilBack: () => untilPlaneAnswers(planeUrl, signal),
  };
}
