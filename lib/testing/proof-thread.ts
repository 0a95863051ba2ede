import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** The proof thread as the console runs it, from the sources, on a test's database. */
export async function sourceProofThread(settings: { readonly databaseUrl: string; readonly stateDirectory: string }): Promise<URL> {
  const thread = pathToFileURL(path.resolve(import.meta.dirname, '../server/proof-thread-main.ts')).href;
  const source = `
    import { register } from ${JSON.stringify(import.meta.resolve('tsx/esm/api'))};
    register();
    Object.assign(process.env, ${JSON.stringify({ DATABASE_URL: settings.databaseUrl, COUNTERSIGN_STATE: settings.stateDirectory })});
    await import(${JSON.stringify(thread)});
  `;
  const file = path.join(settings.stateDirectory, 'proof-thread.mjs');
  await writeFile(file, source);
  return pathToFileURL(file);
}
