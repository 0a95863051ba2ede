import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { exitCode, type Command } from '@/lib/cli/command';
import { newKeyFile } from '@/lib/cli/new-key-file';
import { withWorkspace, type OpenWorkspace } from '@/lib/cli/open-console';
import { printFault } from '@/lib/cli/print-fault';
import { UsageError } from '@/lib/cli/usage-error';
import { completeSetUpInput, setUpModes, type SetUpDocuments, type SetUpMode } from '@/lib/contracts/console/set-up';
import { openDatabase } from '@/lib/cli/open-database';
import { parseEnvironment } from '@/lib/server/env';
import type { SigningKey } from '@/lib/server/ed25519';
import { joinConsoleParts } from '@/lib/server/join-console-parts';
import { parseInput } from '@/lib/server/parse-input';
import { randomIds } from '@/lib/server/random-ids';
import { ownServiceKey, ownServiceKeys } from '@/lib/server/service-keys';
import { completeSetUp } from '@/lib/services/console/complete-set-up';
import { prepareSetUp } from '@/lib/services/console/prepare-set-up';
import { issueSetUpLink } from '@/lib/services/console/set-up-link';
import { envelopeText, signEnvelope } from '@/lib/shared/dsse';
import { toBase64, utf8 } from '@/lib/shared/encoding';
import { keyId } from '@/lib/shared/ids';
import { ok, type Result } from '@/lib/shared/result';

const usage = `usage: countersign trust init --name NAME --email EMAIL --key FILE --recovery FILE [--mode team|solo] [--password-file FILE]

Sets Countersign up without a browser: makes the first owner's key and the recovery key, writes each into a new file (mode 0600), signs
trust root, roster and starter policy, and pins the root in the state directory. Keep the recovery key away from this host.
  --mode            team (default): nobody approves what was asked for them; solo: one person may
  --password-file   the first line is the owner's password for the console; without it one is made and printed this once
Exit: 0 done, 1 refused (an owner is there already), 2 usage, or a file cannot be written or exists.`;

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    const text = { type: 'string' } as const;
    const { values } = parseArgs({ args, options: { name: text, email: text, key: text, recovery: text, mode: text, 'password-file': text } });
    const { name, email, key, recovery } = values;
    if (name === undefined || email === undefined || key === undefined || recovery === undefined) throw new UsageError('Give --name, --email, --key and --recovery.');
    const mode = setUpModes.find((one) => one === (values.mode ?? 'team'));
    if (mode === undefined) throw new UsageError('--mode is team or solo.');
    const given = values['password-file'] === undefined ? undefined : (await readFile(values['password-file'], 'utf8')).split('\n')[0];
    const password = given ?? randomIds().token('first');
    const settings = parseEnvironment(terminal.env);
    // Unlike a command that only looks, this one may be what makes the database.
    await (await openDatabase(settings.stateDirectory, settings.databaseUrl)).close();
    const done = await withWorkspace(terminal, (open) => initialise(open, { name, email, mode, password }, { key, recovery }));
    if (!done.ok) {
      printFault(terminal, done.error);
      return exitCode.refused;
    }
    terminal.out(`Fingerprint   ${done.value.fingerprint}\nOwner key     ${key}\nRecovery key  ${recovery}\n${given === undefined ? `Password      ${password}\n` : ''}`);
    return exitCode.done;
  },
};

type Who = { readonly name: string; readonly email: string; readonly mode: SetUpMode; readonly password: string };

/** Through the same door as the set-up page: a one-time link, documents that are prepared, signed, and computed again before they count. */
async function initialise(open: OpenWorkspace, who: Who, files: { readonly key: string; readonly recovery: string }): Promise<Result<{ readonly fingerprint: string }>> {
  const { settings } = open;
  const keys = await ownServiceKeys(settings.stateDirectory, 'console', settings.consoleKey);
  await ownServiceKey(settings.stateDirectory, 'plane', settings.planeKey);
  const parts = await joinConsoleParts({ ...open, keys, pinsOf: 'cli' });
  const link = await issueSetUpLink({ ...parts, sha256: parts.cryptography.sha256 });
  if (!link.ok) return link;
  // The files first: a root whose only owner's key was lost on the way would lock everybody out.
  const [owner, recovery] = [await newKeyFile(files.key), await newKeyFile(files.recovery)];
  const { password, ...asked } = who;
  const input = { link: link.value.token, ...asked };
  const prepared = await prepareSetUp(parts, { ...input, owner_key: entryOf(owner), recovery_key: entryOf(recovery) });
  if (!prepared.ok) return prepared;
  const complete = parseInput(completeSetUpInput, { ...input, password, ...(await signedBy(owner, prepared.value)) });
  if (!complete.ok) return complete;
  const done = await completeSetUp(parts, complete.value);
  return done.ok ? ok({ fingerprint: done.value.fingerprint }) : done;
}

const entryOf = (key: SigningKey) => ({ id: keyId(key.id), kind: 'file-ed25519' as const, public_key: toBase64(key.publicKey) });

async function signedBy({ signer }: SigningKey, { trust_root, roster, policy, policy_revision }: SetUpDocuments) {
  const sign = async ({ payload_type, text }: SetUpDocuments['roster']) => envelopeText(await signEnvelope(payload_type, utf8(text), [signer]));
  return { trust_root: await sign(trust_root), roster: await sign(roster), policy: await sign(policy), policy_revision: await sign(policy_revision) };
}
