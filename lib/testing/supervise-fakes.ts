import path from 'node:path';
import { stopSignal } from '@/lib/cli/supervisor/stop-signal';
import { supervise } from '@/lib/cli/supervisor/supervise';
import type { Program } from '@/lib/cli/supervisor/program';

/** The real supervisor over small fake programs: `supervise-fakes <state directory> <JSON of programs>`. */
type Fakes = Readonly<Record<'before' | 'services' | 'followers' | 'after', readonly Program[]>>;

const [stateDirectory = '', fakes = ''] = process.argv.slice(2);
const write = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

try {
  await supervise(
    {
      ...(JSON.parse(fakes) as Fakes),
      root: path.resolve(import.meta.dirname, '../..'),
      stateDirectory,
      databaseUrl: undefined,
      migrations: path.join(stateDirectory, 'migrations'),
      env: {},
      write,
      ready: () => {
        write('READY');
      },
    },
    stopSignal(write),
  );
  process.exit(0);
} catch (error) {
  write(String(error));
  process.exit(1);
}
