import { spawnSync } from 'node:child_process';

export type RunAs = {
  /** Put before a PostgreSQL command; it execs, so the process keeps its id. */
  readonly prefix: readonly string[];
  /** The user that has to own the data directory, as seen from outside. */
  readonly ownerUid: number;
  /** The data directory must be handed to that user after it was made by root. */
  readonly chown: boolean;
};

const nobody = 65_534;

/**
 * PostgreSQL refuses to run as root. In a user namespace it sees another id while the files stay root's, which also works inside
 * folders that only root may enter and adds no user to the machine. Where namespaces are forbidden it runs as `nobody`, with the one
 * capability that lets it pass through such folders.
 */
export function runAs(): RunAs {
  const uid = process.getuid?.();
  if (uid === undefined || uid !== 0) return { prefix: [], ownerUid: uid ?? -1, chown: false };
  const namespace = ['unshare', '--user', '--map-user=1000', '--map-group=1000'];
  if (succeeds(namespace)) return { prefix: namespace, ownerUid: 0, chown: false };
  const unprivileged = [
    'setpriv',
    `--reuid=${String(nobody)}`,
    `--regid=${String(nobody)}`,
    '--clear-groups',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
  ];
  if (succeeds(unprivileged)) return { prefix: unprivileged, ownerUid: nobody, chown: true };
  throw new Error(
    'PostgreSQL does not run as root, and neither a user namespace (unshare) nor another user (setpriv) can be had here. ' +
      'Run as an ordinary user, or set DATABASE_URL to a server you run.',
  );
}

/**
 * Makes the kernel end the server when this process dies, however it dies. Elsewhere than on Linux a shell waits for the end of its
 * input, which is a pipe from this process. Either way a killed supervisor leaves no server behind.
 */
export function untilParentDies(): readonly string[] {
  if (succeeds(['setpriv', '--pdeathsig', 'INT'])) return ['setpriv', '--pdeathsig', 'INT'];
  const script = [
    'exec 3<&0',
    '"$@" </dev/null 3<&- & server=$!',
    'trap "" INT TERM HUP',
    '(cat <&3 >/dev/null; kill -INT $server 2>/dev/null) &',
    'exec 3<&-',
    'wait $server',
  ].join('\n');
  return ['sh', '-c', script, 'postgres'];
}

function succeeds(prefix: readonly string[]): boolean {
  const [command, ...args] = prefix;
  if (command === undefined) return true;
  return spawnSync(command, [...args, 'true'], { stdio: 'ignore' }).status === 0;
}
