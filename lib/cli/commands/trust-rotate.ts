import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';

import type { TrustRootChange } from '@/lib/authority/change-trust-root';
import { serviceRoles, type ServiceRole } from '@/lib/authority/trust-root';
import { exitCode, type Command } from '@/lib/cli/command';
import { readKeyFiles } from '@/lib/cli/key-files';
import { newKeyFile } from '@/lib/cli/new-key-file';
import { consoleParts, withWorkspace, type OpenWorkspace } from '@/lib/cli/open-console';
import { printFault } from '@/lib/cli/print-fault';
import { UsageError } from '@/lib/cli/usage-error';
import { trustRootChange, type TrustChangeOutcome } from '@/lib/contracts/console/trust';
import { keyFromPem, type SigningKey } from '@/lib/server/ed25519';
import { servicePublicKey } from '@/lib/server/service-keys';
import { readPrivateIfThere } from '@/lib/server/signers/private-file';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { prepareTrustChange } from '@/lib/services/console/prepare-trust-change';
import { signTrustChange } from '@/lib/services/console/sign-trust-change';
import { envelopeText, signEnvelope } from '@/lib/shared/dsse';
import { toBase64, utf8 } from '@/lib/shared/encoding';
import { fail, ok, type Result } from '@/lib/shared/result';

const usage = `usage: countersign trust rotate --key FILE… (--change FILE | --service console|plane | --cool-off SECONDS | --recovery FILE)

Makes the next trust root and signs it with owners' key files. When as many owners have signed as the root in force asks for, it is in
force; until then the signatures wait, and other owners add theirs in the console or with the same command.
  --change FILE      JSON: any of owners, thresholds, key_kinds, cool_off_seconds, recovery_key, service; each replaces that part whole
  --service ROLE     gives this host's console or plane a successor key (keys/ROLE.next.pem): start the process anew to take it up
  --cool-off N       seconds that a loosening policy waits after its last signature
  --recovery FILE    makes a new recovery key, written into this new file (mode 0600)
Exit: 0 in force or waiting for other owners, 1 refused, 2 usage, no key, no database, or a file cannot be read.`;

/** Positions that both keys may sign: long enough for every process to have changed over. */
const overlap = 10_000;

type Wanted = { readonly change?: string | undefined; readonly service?: string | undefined; readonly 'cool-off'?: string | undefined; readonly recovery?: string | undefined };

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    const text = { type: 'string' } as const;
    const { values } = parseArgs({ args, options: { key: { type: 'string', multiple: true }, change: text, service: text, 'cool-off': text, recovery: text } });
    const { key, ...wanted } = values;
    if (key === undefined) throw new UsageError('Give owners’ key files with --key.');
    if (Object.keys(wanted).length !== 1) throw new UsageError('Give one of --change, --service, --cool-off and --recovery.');
    const keys = await readKeyFiles(key);
    const outcome = await withWorkspace(terminal, async (open) => {
      const parts = await consoleParts(open);
      if (!parts.ok) return parts;
      const change = await changeOf(open, parts.value, wanted);
      return change.ok ? await signWith(parts.value, keys, change.value) : change;
    });
    if (!outcome.ok) {
      printFault(terminal, outcome.error);
      return exitCode.refused;
    }
    const { version } = outcome.value;
    terminal.out(outcome.value.state === 'in_force' ? `Trust root ${String(version)} is in force.\n` : `Trust root ${String(version)} waits: ${outcome.value.lacks.join(', ')} still need other owners’ signatures.\n`);
    return exitCode.done;
  },
};

async function changeOf(open: OpenWorkspace, parts: ConsoleParts, wanted: Wanted): Promise<Result<TrustRootChange>> {
  if (wanted.change !== undefined) return parsed(JSON.parse(await readFile(wanted.change, 'utf8')));
  if (wanted['cool-off'] !== undefined) return parsed({ cool_off_seconds: Number(wanted['cool-off']) });
  if (wanted.recovery !== undefined) return ok({ recovery_key: entryOf(await newKeyFile(wanted.recovery)) });
  const role = serviceRoles.find((one) => one === wanted.service);
  if (role === undefined) throw new UsageError('--service is console or plane.');
  return await successorOf(open, parts, role);
}

function parsed(value: unknown): Result<TrustRootChange> {
  const change = trustRootChange.safeParse(value);
  if (change.success) return ok(change.data);
  return fail('invalid_input', 'This is no change of the trust root.', { issues: change.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message })) });
}

/** The key that the process of this state directory will sign with next; made here unless an earlier call has made it. */
async function successorOf({ settings }: OpenWorkspace, parts: ConsoleParts, role: ServiceRole): Promise<Result<TrustRootChange>> {
  const own = await servicePublicKey(settings.stateDirectory, role);
  if (!own) return fail('not_found', `The ${role} has not made its key in ${settings.stateDirectory} yet.`);
  const file = path.join(settings.stateDirectory, 'keys', `${role}.next.pem`);
  const there = await readPrivateIfThere(file);
  const successor = entryOf(there === undefined ? await newKeyFile(file) : keyFromPem(there));
  const from = Number((await parts.log.head()).size);
  return ok({ service: { does: 'rotate', retired: own.id, successor, from, until: from + overlap } });
}

async function signWith(parts: ConsoleParts, keys: readonly SigningKey[], change: TrustRootChange): Promise<Result<TrustChangeOutcome>> {
  const { root } = await parts.inForce.refresh();
  const by = root?.root.owners.find((owner) => keys.some(({ id }) => id === owner.key.id))?.person;
  if (by === undefined) return fail('forbidden', 'None of these keys is an owner’s.', { fix: '"countersign trust show" lists the owners’ keys.' });
  const prepared = await prepareTrustChange(parts, change);
  if (!prepared.ok) return prepared;
  const envelopes: { trust_root?: string; roster?: string; policy?: string; policy_revision?: string } = {};
  for (const name of ['trust_root', 'roster', 'policy', 'policy_revision'] as const) {
    const one = prepared.value[name];
    const able = keys.filter(({ id }) => one?.may_sign.some((owner) => owner.keys.includes(id)) === true);
    if (one && able.length > 0) envelopes[name] = envelopeText(await signEnvelope(one.document.payload_type, utf8(one.document.text), able.map(({ signer }) => signer)));
  }
  return await signTrustChange(parts, by, { change: prepared.value.change, at: prepared.value.at, ...envelopes });
}

const entryOf = (key: SigningKey) => ({ id: key.id, kind: 'file-ed25519' as const, public_key: toBase64(key.publicKey) });
