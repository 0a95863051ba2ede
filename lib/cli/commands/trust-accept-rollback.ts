import { parseArgs } from 'node:util';

import type { Pin } from '@/lib/authority/pins';
import { signStatement, type RollbackAcceptance } from '@/lib/authority/owner-statements';
import { exitCode, type Command } from '@/lib/cli/command';
import { readKeyFiles } from '@/lib/cli/key-files';
import { consoleParts, lookAtAuthority, withWorkspace, type OpenWorkspace } from '@/lib/cli/open-console';
import { printFault } from '@/lib/cli/print-fault';
import { readPinFiles } from '@/lib/cli/pin-files';
import { UsageError } from '@/lib/cli/usage-error';
import type { SigningKey } from '@/lib/server/ed25519';
import { acceptRollback, foundInstead, servedOf } from '@/lib/services/console/accept-rollback';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { asJson } from '@/lib/shared/as-json';
import { fail, ok, type Result } from '@/lib/shared/result';
import { bounds } from '@/lib/shared/bounds';

const usage = `usage: countersign trust accept-rollback --key FILE --reason TEXT

After a restore the database is behind what the processes of this state directory have served, and they deny everything
(rollback_detected). An owner signs, for each of their pins, what was served and what was found; each acceptance is the next receipt,
and the process whose pin it names goes on from there. What happened in between is lost: its permits, approvals and receipts.
Run it on every host that has a state directory of its own. A trust root never goes back: restore a dump with the newest one.
Exit: 0 accepted, or nothing to accept; 1 refused; 2 usage, no key, no database, or a pin cannot be read.`;

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    const { values } = parseArgs({ args, options: { key: { type: 'string' }, reason: { type: 'string' } } });
    const reason = values.reason?.trim() ?? '';
    if (values.key === undefined) throw new UsageError('Give an owner’s key file with --key.');
    if (reason === '' || reason.length > bounds.reasonText) throw new UsageError('Say with --reason why this database is the one to go on with.');
    const [key] = await readKeyFiles([values.key]);
    if (!key) throw new UsageError('Give an owner’s key file with --key.');
    const accepted = await withWorkspace(terminal, async (open): Promise<Result<readonly string[]>> => {
      const parts = await consoleParts(open);
      if (!parts.ok) return parts;
      const pins = await readPinFiles(open.settings.stateDirectory);
      return await acceptEach(open, parts.value, pins, key, reason);
    });
    if (!accepted.ok) {
      printFault(terminal, accepted.error);
      return exitCode.refused;
    }
    terminal.out(accepted.value.length === 0 ? 'No pin of this state directory is ahead of the database.\n' : `${accepted.value.join('\n')}\n`);
    return exitCode.done;
  },
};

/** One after the other: each receipt makes the log one longer, and the next acceptance names the log that it finds. */
async function acceptEach(open: OpenWorkspace, parts: ConsoleParts, pins: Awaited<ReturnType<typeof readPinFiles>>, key: SigningKey, reason: string): Promise<Result<readonly string[]>> {
  const said: string[] = [];
  const seen = new Set<string>();
  for (const { name, pin } of pins) {
    const served = servedOf(pin);
    if (!served || seen.has(canonicalJson(asJson(served)))) continue;
    seen.add(canonicalJson(asJson(served)));
    if (await goesOnFrom(open, pin)) continue;
    const found = await foundInstead(parts, served);
    if (!found.ok) return found;
    const { root } = await parts.inForce.current();
    const owner = root?.root.owners.find((one) => one.key.id === key.id);
    if (!owner) return fail('forbidden', `The key ${key.id} is no owner’s.`, { fix: '"countersign trust show" lists the owners’ keys.' });
    const acceptance: RollbackAcceptance = { served, found: found.value, reason };
    const envelope = await signStatement('rollback_acceptance', parts.workspace, acceptance, await parts.reads.now(), [key.signer]);
    const done = await acceptRollback(parts, owner.person, acceptance, envelope);
    if (!done.ok) return done;
    said.push(`${name}: ${String(served.log.size)} receipts were served, the ${String(found.value.log.size)} that were found are accepted. Receipt ${String(done.value.position)} says so.`);
  }
  return ok(said);
}

/** Whether the process with this pin serves the database as it is, accepted restores included. Nothing is written. */
async function goesOnFrom(open: OpenWorkspace, pin: Pin): Promise<boolean> {
  const { denied } = await lookAtAuthority(open, { read: async () => ok(pin), write: async () => undefined });
  return denied !== 'rollback_detected';
}
