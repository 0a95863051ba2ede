import path from 'node:path';

import { planeUrl } from '@/lib/cli/supervisor/product-plan';
import { environment } from '@/lib/server/env';

import { readTokens } from './demo-secrets';
import { makeCast } from './make-cast';
import { keptOpenWork } from './open-work';
import { allScenarios } from './scenarios/all-scenarios';
import { humanPace, workOn } from './work-on';

/** How long what runs right now may take to be reported after the signal, milliseconds. */
const lastWordsMs = 5000;

async function main(): Promise<void> {
  const settings = environment();
  const over = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      over.abort();
      setTimeout(() => process.exit(0), lastWordsMs).unref();
    });
  }
  const url = planeUrl(settings);
  const cast = makeCast(url, await readTokens(settings.stateDirectory), over.signal);
  await cast.untilBack();
  await workOn({
    cast,
    work: await keptOpenWork(path.join(settings.stateDirectory, 'demo-agent.json')),
    scenarios: allScenarios,
    pace: humanPace,
    signal: over.signal,
    log: (line) => {
      console.log(line);
    },
  });
}

main().then(
  () => process.exit(0),
  (cause: unknown) => {
    console.error(cause);
    process.exit(1);
  },
);
