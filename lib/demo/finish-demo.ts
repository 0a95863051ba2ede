import path from 'node:path';

import { filePinStore } from '@/lib/server/file-pin-store';

import { demoPeople } from './demo-people';
import { keptSecrets } from './demo-secrets';
import { writePrivateFile } from './private-file';
import { demoFile, ownerKeyFile } from './set-up-demo';

export type Place = { readonly stateDirectory: string; readonly consoleUrl: string; readonly planeUrl: string };

/** Writes `demo.json` whole, when all is up, and gives what to print: where to go and who can sign in. */
export async function finishDemo({ stateDirectory, consoleUrl, planeUrl }: Place): Promise<string> {
  const { credentials, people } = await keptSecrets(stateDirectory);
  const pin = await filePinStore({ stateDirectory, role: 'console', rootPin: undefined }).read();
  if (!pin.ok || !pin.value) throw new Error('No trust root is pinned: the demo is not set up.', { cause: pin.ok ? undefined : pin.error });
  const passwordOf = new Map(people.map(({ email, password }) => [email, password]));
  const signIns = demoPeople.map(({ role, email }) => ({
    role,
    email,
    password: passwordOf.get(email) ?? '',
    ...(role === 'owner' ? { key: path.join(stateDirectory, ownerKeyFile) } : {}),
  }));
  const ofKind = (kind: (typeof credentials)[number]['kind']) => credentials.filter((one) => one.kind === kind).map(({ id, token }) => ({ id, token }));
  const demo = {
    console: consoleUrl,
    plane: planeUrl,
    people: signIns,
    agents: ofKind('agent'),
    orchestrators: ofKind('orchestrator'),
    enforcement_points: ofKind('enforcement_point'),
    information_points: ofKind('information_point'),
    root_fingerprint: pin.value.root_fingerprint,
  };
  const file = path.join(stateDirectory, demoFile);
  await writePrivateFile(file, `${JSON.stringify(demo, null, 2)}\n`);
  return signInSheet(consoleUrl, signIns, file);
}

function signInSheet(consoleUrl: string, signIns: readonly { readonly role: string; readonly email: string; readonly password: string }[], file: string): string {
  const width = Math.max(...signIns.map(({ email }) => email.length));
  return [
    '',
    `  Sign in at ${consoleUrl} as`,
    '',
    ...signIns.map(({ role, email, password }) => `    ${role.padEnd(10)} ${email.padEnd(width)}  ${password}`),
    '',
    '  Agents are at work; what they may not do alone waits under Approvals. Whoever approves enrols a key in the browser first.',
    `  All of this, with tokens for programs: ${file}`,
    '',
  ].join('\n');
}
