import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { planeUrl } from '@/lib/cli/supervisor/product-plan';
import { environment } from '@/lib/server/env';
import { projectRoot } from '@/lib/server/project-root';

import { finishDemo } from './finish-demo';
import { setUpDemo } from './set-up-demo';

async function main(command: string | undefined): Promise<void> {
  const settings = environment();
  const { stateDirectory, databaseUrl, consoleUrl } = settings;
  switch (command) {
    case 'setup': {
      if (databaseUrl === undefined) throw new Error('DATABASE_URL is not set.');
      const policyText = await readFile(path.join(projectRoot(), 'policies', 'demo.yaml'), 'utf8');
      const done = await setUpDemo({ databaseUrl, stateDirectory, policyText });
      console.log(done === 'made' ? 'people, keys, policy and credentials are made' : 'the demo goes on where it stopped');
      return;
    }
    case 'finish':
      console.log(await finishDemo({ stateDirectory, consoleUrl, planeUrl: planeUrl(settings) }));
      return;
    default:
      throw new Error('Say setup or finish.');
  }
}

main(process.argv[2]).catch((cause: unknown) => {
  console.error(cause);
  process.exitCode = 1;
});
