import { parseArgs } from 'node:util';

import { nextTrustRoot } from '@/lib/authority/next-trust-root';
import { signTrustRoot } from '@/lib/authority/sign-documents';
import type { OwnerKey } from '@/lib/authority/trust-root';
import { exitCode, type Command } from '@/lib/cli/command';
import { readKeyFiles } from '@/lib/cli/key-files';
import { consoleParts, withWorkspace } from '@/lib/cli/open-console';
import { printFault } from '@/lib/cli/print-fault';
import { UsageError } from '@/lib/cli/usage-error';
import type { SigningKey } from '@/lib/server/ed25519';
import { announceRecovery } from '@/lib/services/console/announce-recovery';
import { cancelRecovery } from '@/lib/services/console/cancel-recovery';
import { completeRecovery, recoveryToComplete } from '@/lib/services/console/complete-recovery';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { trustBase } from '@/lib/services/console/trust-base';
import { noticeOver } from '@/lib/services/prove-notice';
import { envelopeText, signEnvelope } from '@/lib/shared/dsse';
import { toBase64 } from '@/lib/shared/encoding';
import { fail, ok, type Result } from '@/lib/shared/result';
import { isTimestamp } from '@/lib/shared/timestamp';

const usage = `usage: countersign trust recover --announce --recovery FILE --owner-key FILE [--person EMAIL]
                                [--owner-key FILE --person EMAIL …]
       countersign trust recover --complete --owner-key FILE [--owner-key FILE …]
       countersign trust recover --cancel --owner-key FILE

When owners have lost their keys, the recovery key makes the given keys the owners' and changes nothing else. --announce writes that into
the log; every screen shows it, and any owner can cancel it. A day later --complete takes it into force: the new owners sign the roster
and the policy anew, here or each in the console (Settings, Trust). The day is counted by the log and by the clock of this host, from when its state directory first knew of it.
Run it where the console runs. Name whose key each --owner-key is with a --person each; without one it is the only owner's.
Exit: 0 done, 1 refused, 2 usage, no key, no database, or a file cannot be read.`;

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    const text = { type: 'string' } as const;
    const flag = { type: 'boolean', default: false } as const;
    const { values } = parseArgs({ args, options: { recovery: text, 'owner-key': { ...text, multiple: true }, person: { ...text, multiple: true }, announce: flag, complete: flag, cancel: flag } });
    const { recovery, 'owner-key': files, person = [], announce, complete, cancel } = values;
    if ([announce, complete, cancel].filter(Boolean).length !== 1) throw new UsageError('Give one of --announce, --complete and --cancel.');
    if (files === undefined) throw new UsageError('Give owners’ key files with --owner-key.');
    if (announce !== (recovery !== undefined)) throw new UsageError('--announce, and nothing else, needs --recovery.');
    const keys = await readKeyFiles(files);
    const [recoveryKey] = recovery === undefined ? [] : await readKeyFiles([recovery]);
    const said = await withWorkspace(terminal, async (open): Promise<Result<string>> => {
      const parts = await consoleParts(open);
      if (!parts.ok) return parts;
      if (recoveryKey) return await announced(parts.value, recoveryKey, keys, person);
      return complete ? await completed(parts.value, keys) : await cancelled(parts.value, keys);
    });
    if (!said.ok) {
      printFault(terminal, said.error);
      return exitCode.refused;
    }
    terminal.out(`${said.value}\n`);
    return exitCode.done;
  },
};

async function announced(parts: ConsoleParts, recovery: SigningKey, keys: readonly SigningKey[], emails: readonly string[]): Promise<Result<string>> {
  const base = await trustBase(parts);
  if (!base.ok) return base;
  const { root, roster } = base.value;
  if (recovery.id !== root.recovery.key.id) return fail('signature_invalid', 'This is not the recovery key of the trust root in force.');
  const only = [...new Set(root.owners.map(({ person }) => person))];
  const people = emails.length === 0 && keys.length === 1 && only.length === 1 ? only : emails.map((email) => roster.roster.people.find((one) => one.email === email.toLowerCase())?.id);
  if (people.length !== keys.length) throw new UsageError('Say with a --person each whose key every --owner-key is.');
  const owners: OwnerKey[] = [];
  for (const [at, key] of keys.entries()) {
    const person = people[at];
    if (person === undefined) return fail('not_found', `The roster lists nobody with the address ${emails[at] ?? ''}.`);
    owners.push({ person, key: { id: key.id, kind: 'file-ed25519', public_key: toBase64(key.publicKey) } });
  }
  const at = await parts.reads.now();
  const [first] = owners;
  if (!isTimestamp(at) || !first) throw new TypeError('The database gives times, and there is an owner.');
  const next = nextTrustRoot(root, { owners }, { createdAt: at, sha256: parts.cryptography.sha256 });
  const done = await announceRecovery(parts, first.person, { owners, at, envelope: envelopeText(await signTrustRoot(next, [recovery.signer])) });
  if (!done.ok) return done;
  const seen = (await parts.inForce.current()).recoveries?.find(({ digest }) => digest === done.value.digest);
  const from = seen ? new Date(Math.max(...Object.values(noticeOver(seen)))).toISOString() : 'a day from now';
  return ok(`Trust root ${String(done.value.version)} is announced. It can be completed from ${from}, unless an owner cancels it.`);
}

async function completed(parts: ConsoleParts, keys: readonly SigningKey[]): Promise<Result<string>> {
  const recovery = await ofKeys(parts, keys);
  if (!recovery.ok) return recovery;
  const { documents } = recovery.value;
  const given: { roster?: string; policy?: string; policy_revision?: string } = {};
  for (const name of ['roster', 'policy', 'policy_revision'] as const) {
    const need = documents.needs[name];
    const able = keys.filter(({ id }) => need?.judge.owners.some(({ key }) => key.id === id));
    if (need && able.length > 0) given[name] = envelopeText(await signEnvelope(need.part.payload_type, need.part.bytes, able.map(({ signer }) => signer)));
  }
  const by = documents.root.owners.find(({ key }) => keys.some(({ id }) => id === key.id));
  if (!by) return fail('forbidden', 'None of these keys is a new owner’s.');
  const done = await completeRecovery(parts, by.person, { digest: documents.digest, ...given });
  if (!done.ok) return done;
  const version = `Trust root ${String(done.value.version)}`;
  return ok(done.value.state === 'waiting' ? `${version} waits: ${done.value.lacks.join(', ')} still need other new owners’ signatures.` : `${version} is in force. Make a new recovery key: "countersign trust rotate --recovery FILE".`);
}

/** The announced recovery whose new owners these keys are. */
async function ofKeys(parts: ConsoleParts, keys: readonly SigningKey[]): ReturnType<typeof recoveryToComplete> {
  for (const { digest } of (await parts.inForce.refresh()).recoveries ?? []) {
    const one = await recoveryToComplete(parts, digest);
    if (one.ok && one.value.documents.root.owners.some(({ key }) => keys.some(({ id }) => id === key.id))) return one;
  }
  return fail('not_found', 'No recovery is announced that makes one of these keys an owner’s.');
}

async function cancelled(parts: ConsoleParts, keys: readonly SigningKey[]): Promise<Result<string>> {
  const { root, recoveries = [] } = await parts.inForce.refresh();
  const owner = root?.root.owners.find(({ key }) => keys.some(({ id }) => id === key.id));
  if (!owner) return fail('forbidden', 'None of these keys is an owner’s.', { fix: '"countersign trust show" lists the owners’ keys.' });
  if (recoveries.length === 0) return fail('not_found', 'No recovery is announced.');
  for (const { digest } of recoveries) {
    const done = await cancelRecovery(parts, owner.person, digest);
    if (!done.ok) return done;
  }
  return ok(`Cancelled: ${recoveries.map(({ version }) => `trust root ${String(version)}`).join(', ')}.`);
}
