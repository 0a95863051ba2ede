/** Once, before the first request: joins the console's parts, or ends the process so that the supervisor starts it again. */
export async function register(): Promise<void> {
  if (process.env['NEXT_RUNTIME'] !== 'nodejs') return;
  const { startServing } = await import('@/lib/server/start-serving');
  await startServing();
}
