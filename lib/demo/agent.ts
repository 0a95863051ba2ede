import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { planeUrl } from '@/lib/cli/supervisor/product-plan';
import { environment } from '@/lib/server/env';
import { projectRoot } from '@/lib/server/project-root';

import { readTokens } from './demo-secrets';
import { makeCast } from './make-cast';
import { keptOpenWork } from './open-work';
import { proposeChanges } from './propose-changes';
import { proposedChanges } from './proposed-changes';
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
  const work = await keptOpenWork(path.join(settings.stateDirectory, 'demo-agent.json'));
  const log = (line: string): void => {
    console.log(line);
  };
  // Before the first scenario and never again: what owners made of it stays.
  if (work.next() === 0) await proposeChanges(cast, proposedChanges, await readFile(path.join(projectRoot(), 'policies', 'demo.yaml'), 'utf8'), log);
  await workOn({
    cast,
    work,
    scenarios: allScenarios,
    pace: humanPace,
    signal: over.signal,
    log,
  });
}

main().then(
  () => process.exit(0),
  (cause: unknown) => {
    console.error(cause);
    process.exit(1);
  },
);
