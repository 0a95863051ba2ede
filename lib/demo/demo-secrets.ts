import path from 'node:path';

import { z } from 'zod';

import { randomIds } from '@/lib/server/random-ids';
import { readIfThere } from '@/lib/server/whole-file';

import { demoAgents, demoVouching, tokenPrefixes } from './demo-agents';
import { demoPeople } from './demo-people';
import { memorablePassword } from './memorable-password';
import { keptIn } from './private-file';

const credential = z.strictObject({ kind: z.enum(['agent', 'orchestrator', 'enforcement_point', 'information_point']), id: z.string(), token: z.string() });
const tokensFile = z.strictObject({ credentials: z.array(credential) });
const passwordsFile = z.strictObject({ people: z.array(z.strictObject({ email: z.string(), password: z.string() })) });

export type DemoCredential = z.infer<typeof credential>;
export type DemoPassword = z.infer<typeof passwordsFile>['people'][number];

const tokensIn = (stateDirectory: string): string => path.join(stateDirectory, 'demo-tokens.json');

/**
 * Tokens and passwords of this state directory, made once. They are on disk before the database knows them: a crash between the two
 * starts again with the same ones, and no credential is ever in force that nobody can use. Two files, because the agents' process
 * has no business with anybody's password.
 */
export async function keptSecrets(stateDirectory: string): Promise<{ readonly credentials: readonly DemoCredential[]; readonly people: readonly DemoPassword[] }> {
  const tokens = await keptIn(tokensIn(stateDirectory), () => JSON.stringify({ credentials: freshTokens() }));
  const passwords = await keptIn(path.join(stateDirectory, 'demo-passwords.json'), () =>
    JSON.stringify({ people: demoPeople.map(({ email }) => ({ email, password: memorablePassword() })) }),
  );
  return { credentials: tokensFile.parse(JSON.parse(tokens)).credentials, people: passwordsFile.parse(JSON.parse(passwords)).people };
}

/** The tokens alone. Throws before the demo is set up. */
export async function readTokens(stateDirectory: string): Promise<readonly DemoCredential[]> {
  const text = await readIfThere(tokensIn(stateDirectory));
  if (text === undefined) throw new Error(`There is no demo in ${stateDirectory}: run npm run demo.`);
  return tokensFile.parse(JSON.parse(text)).credentials;
}

export function tokenOf(credentials: readonly DemoCredential[], id: string): string {
  const found = credentials.find((one) => one.id === id);
  if (!found) throw new Error(`The demo has no credential ${id}.`);
  return found.token;
}

function freshTokens(): readonly DemoCredential[] {
  const ids = randomIds();
  return [...demoAgents.map(({ id }) => ({ kind: 'agent' as const, id })), ...demoVouching.map(({ kind, subject }) => ({ kind, id: subject }))].map((one) => ({
    ...one,
    token: ids.token(tokenPrefixes[one.kind]),
  }));
}
