/**
 * Aborted at the first Ctrl-C, SIGTERM or closed terminal, and when the npm that started this process is gone: a killed npm tells nobody,
 * and what it started must not go on unseen.
 *
 * A later signal ends this process at once; the programs and the embedded database notice that and end by themselves. npm passes on a
 * Ctrl-C that the terminal has delivered already, so the same signal within two seconds counts as one.
 */
export function stopSignal(write: (line: string) => void): AbortSignal {
  const controller = new AbortController();
  let firstAt = 0;
  const stop = (): void => {
    firstAt = performance.now();
    write('Stopping …');
    controller.abort();
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (!controller.signal.aborted) stop();
      else if (performance.now() - firstAt > 2000) process.exit(1);
    });
  }
  if (process.env['npm_lifecycle_event'] !== undefined) {
    const npm = process.ppid;
    setInterval(() => {
      if (process.ppid !== npm && !controller.signal.aborted) stop();
    }, 500).unref();
  }
  return controller.signal;
}
