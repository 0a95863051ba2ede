/**
 * Aborted at the first Ctrl-C, SIGTERM or closed terminal. A second one ends this process at once; the programs and the embedded
 * database notice that and end by themselves.
 */
export function stopSignal(write: (line: string) => void): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(1);
      write('Stopping …');
      controller.abort();
    });
  }
  return controller.signal;
}
