import { readFile, stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { exitCode, type Command } from '@/lib/cli/command';
import { UsageError } from '@/lib/cli/usage-error';
import { reportText } from '@/lib/cli/report-text';
import { readKnownHeads } from '@/lib/client/known-heads';
import { maxBundleBytes } from '@/lib/ledger/bundle';
import { stockCatalogue } from '@/lib/mediate/stock';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { verifySignature } from '@/lib/server/verify-signature';
import { fromBase64 } from '@/lib/shared/encoding';
import { isDigest, type Digest } from '@/lib/shared/ids';
import type { KnownHead } from '@/lib/verify/check-tree';
import { findClassWith } from '@/lib/verify/find-class';
import { rederiveWith } from '@/lib/verify/rederive-decision';
import type { Verdict } from '@/lib/verify/report';
import { verifyBundle } from '@/lib/verify/verify-bundle';

const usage = `usage: countersign verify BUNDLE [--root SHA256] [--checkpoint-key BASE64] [--known FILE]... [--json]

Checks a bundle from its bytes alone, without a database or a network, and runs the engine again on every decision that it can.
  --root SHA256  fingerprint of the first trust root, from somewhere else than the bundle: without it a bundle vouches for itself
  --checkpoint-key BASE64
                 the public key (32 bytes) that you know this log’s checkpoints to be signed with: it stands in for the fingerprint
  --known FILE   checkpoints or pins that you kept from before the export: a log that was cut or rewritten shows against them. May be
                 given several times, and a file may hold several
  --json         the whole report as JSON
Exit: 0 verified, 1 a check failed, 2 unreadable or usage, 3 consistent, but the issuer is not verified.`;

const codes: Readonly<Record<Verdict, number>> = {
  verified: exitCode.done,
  failed: exitCode.refused,
  unreadable: exitCode.unusable,
  consistent_issuer_not_verified: exitCode.issuerNotVerified,
};

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { root: { type: 'string' }, 'checkpoint-key': { type: 'string' }, known: { type: 'string', multiple: true }, json: { type: 'boolean' } } });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) throw new UsageError('Give one bundle.');
    const root = rootOf(values.root);
    const checkpointKey = keyOf(values['checkpoint-key']);
    const known = await headsIn(values.known ?? []);
    const { size } = await stat(file).catch((cause: unknown) => { throw new Error(`${file} cannot be read.`, { cause }); });
    if (size > maxBundleBytes) throw new Error(`${file} has ${String(size)} bytes; a bundle has at most ${String(maxBundleBytes)}. Export a smaller range.`);
    const bytes = new Uint8Array(await readFile(file));
    const report = await verifyBundle(bytes, {
      sha256: nodeSha256,
      verifySignature,
      rederive: rederiveWith(nodeSha256, stockCatalogue(nodeSha256)),
      findClass: findClassWith(nodeSha256, stockCatalogue(nodeSha256)),
      known,
      ...(checkpointKey === undefined ? {} : { checkpointKey }),
      ...(root === undefined ? {} : { root }),
    });
    terminal.out(values.json === true ? `${JSON.stringify(report, null, 2)}\n` : reportText(file, bytes, report, root));
    return codes[report.verdict];
  },
};

/** Throws when a file holds anything that is no tree head: one that was left out would be one that nothing is compared with. */
async function headsIn(files: readonly string[]): Promise<readonly KnownHead[]> {
  const heads: KnownHead[] = [];
  for (const file of files) {
    const read = readKnownHeads(await readFile(file, 'utf8'));
    if (read.fault !== null || read.heads.length === 0) throw new Error(`${file}: ${read.fault ?? 'There is no checkpoint in it.'}`);
    heads.push(...read.heads);
  }
  return heads;
}

function keyOf(text: string | undefined): Uint8Array | undefined {
  if (text === undefined) return undefined;
  const key = fromBase64(text);
  if (key?.length !== 32) throw new UsageError('--checkpoint-key takes the 32 bytes of an Ed25519 public key in base64.');
  return key;
}

function rootOf(text: string | undefined): Digest | undefined {
  if (text === undefined || isDigest(text)) return text;
  throw new UsageError('--root takes a SHA-256 in lower-case hex, 64 characters.');
}
