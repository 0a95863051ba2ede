import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { exitCode, type Command } from '@/lib/cli/command';
import { lookAtAuthority, withWorkspace, type OpenWorkspace } from '@/lib/cli/open-console';
import { plainText } from '@/lib/cli/plain-text';
import { printFault } from '@/lib/cli/print-fault';
import { serviceKeysOf } from '@/lib/authority/service-keys';
import { readKnownHeads } from '@/lib/client/known-heads';
import { originOf, parseCheckpoint, type Checkpoint } from '@/lib/ledger/checkpoint';
import { verifyGrowth } from '@/lib/ledger/verify-growth';
import { verifyEd25519 } from '@/lib/server/ed25519';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { proveGrowth } from '@/lib/services/prove-growth';
import { fromBase64, toHex } from '@/lib/shared/encoding';
import { fail, ok, type Result } from '@/lib/shared/result';

const usage = `usage: countersign checkpoint [--since FILE]... [--json]

Prints the newest signed checkpoint of the log, as it is exported (a C2SP signed note).
  --since FILE  a checkpoint or pin that you kept: proves that the log has only grown since. May be given several times
  --json        { size, root, checkpoint, since: [{ size, proof }] }, the proofs as base64 hashes (RFC 6962)
Exit: 0 printed, and the log goes on from each one kept; 1 it does not, or there is none yet; 2 usage, or something cannot be read.`;

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    const { values } = parseArgs({ args, options: { since: { type: 'string', multiple: true }, json: { type: 'boolean' } } });
    const texts = await Promise.all((values.since ?? []).map((file) => readFile(file, 'utf8')));
    const kept = texts.map(readKnownHeads);
    const unread = kept.find(({ fault }) => fault !== null);
    if (unread) throw new Error(unread.fault ?? 'A file holds neither a checkpoint nor a pin.');
    const shown = await withWorkspace(terminal, (open) => show(open, kept.flatMap(({ heads }) => heads)));
    if (!shown.ok) {
      printFault(terminal, shown.error);
      return exitCode.refused;
    }
    const { checkpoint, head, since } = shown.value;
    if (values.json === true) terminal.out(`${JSON.stringify({ size: head.size, root: toHex(head.root), checkpoint, since }, null, 2)}\n`);
    else terminal.out(checkpoint);
    for (const { size } of since) terminal.err(`The log of ${String(head.size)} receipts goes on from the one of ${String(size)}.`);
    return exitCode.done;
  },
};

type Shown = { readonly checkpoint: string; readonly head: Checkpoint; readonly since: readonly { readonly size: number; readonly proof: readonly string[] }[] };

async function show(open: OpenWorkspace, kept: readonly { readonly size: number; readonly root: Uint8Array }[]): Promise<Result<Shown>> {
  const reader = open.stores.log;
  const latest = await reader.latestCheckpoint();
  if (!latest) return fail('not_found', 'There is no checkpoint yet.', { fix: 'Let the plane run: it signs one with each commit.' });
  const head = parseCheckpoint(latest.note);
  if (!head.ok) return fail('ledger_broken', `The newest checkpoint cannot be read: ${plainText(head.error.detail)}`, { fix: 'Run "countersign fsck".' });
  const { root, denied, refusal } = await lookAtAuthority(open);
  if (!root) return fail(denied ?? 'trust_root_invalid', refusal?.detail ?? 'There is no trust root that could say whose keys sign checkpoints.');
  const publicKeys = serviceKeysOf(root.root, 'plane', head.value.size - 1).flatMap(({ key }) => fromBase64(key.public_key) ?? []);
  const since: { readonly size: number; readonly proof: readonly string[] }[] = [];
  for (const one of kept) {
    if (one.size > head.value.size) return fail('rollback_detected', `The log has ${String(head.value.size)} receipts; ${String(one.size)} are known of it.`);
    const proved = await proveGrowth({ reader, sha256: nodeSha256 }, one.size, head.value.size);
    if (!proved.ok) return proved;
    const { proof, checkpoint } = proved.value;
    const hashes = proof.map((text) => fromBase64(text) ?? new Uint8Array());
    const grown = await verifyGrowth(nodeSha256, verifyEd25519, one, { checkpoint, proof: hashes }, { origin: originOf(open.workspace), publicKeys });
    if (!grown.ok) return grown;
    since.push({ size: one.size, proof });
  }
  return ok({ checkpoint: latest.note, head: head.value, since });
}
