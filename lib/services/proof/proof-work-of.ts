import type { ProposalRow } from '@/lib/ports/proposal-store';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { later } from '@/lib/services/later';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { PolicyText, ProofWork } from './proof-work';
import { replayRange } from './replay-range';

/** A proof looks back so far, in seconds. */
export const replayPeriod = 7 * 86_400;

/**
 * What has to be found out about a proposal: its text and the text that it was written on, each with the digest that the receipts name, and the
 * part of the log to take again. `policy_base_changed`: its base is neither in force nor another open proposal; `policy_altered`.
 */
export async function proofWorkOf(parts: Pick<ConsoleParts, 'inForce' | 'log' | 'cryptography' | 'workspace' | 'proposals' | 'clock' | 'policyTests'>, row: ProposalRow): Promise<Result<ProofWork>> {
  const { sha256 } = parts.cryptography;
  if (digestOf(sha256, utf8(row.text)) !== row.digest) return fail('policy_altered', 'The text of the proposal is not the one that was proposed.');
  const base = await textOfBase(parts, row.base_digest);
  if (!base.ok) return base;
  const { root, roster } = await parts.inForce.current();
  const range = root && (await replayRange(parts, root.root, later(parts.clock.now(), -replayPeriod)));
  const groups = [...new Set((roster?.roster.people ?? []).flatMap((person) => person.groups))].sort();
  const former = await parts.policyTests.inForce();
  const own = (await parts.policyTests.of(row.id)) ?? (row.rebased_from === null ? undefined : await parts.policyTests.of(row.rebased_from));
  const tests = own === undefined || own === former ? { tests: listOf(former), formerTests: [] } : { tests: [own], formerTests: listOf(former) };
  return ok({ base: base.value, next: { text: row.text, format: row.format, digest: row.digest }, ...tests, groups, range });
}

async function textOfBase({ inForce, proposals, cryptography }: Pick<ConsoleParts, 'inForce' | 'proposals' | 'cryptography'>, digest: Digest | null): Promise<Result<PolicyText | null>> {
  if (digest === null) return ok(null);
  const { policy } = await inForce.refresh();
  if (policy?.digest === digest) return ok({ text: policy.text, format: policy.format, digest });
  // One that is to be applied after another rests on that one's text.
  const below = (await proposals.list('live', 200)).find((one) => one.digest === digest && one.target === 'policy');
  const text = below && (await proposals.find(below.id));
  if (!text || digestOf(cryptography.sha256, utf8(text.text)) !== digest) return fail('policy_base_changed', 'What it was written on is not in force any more.', { fix: 'Rebase it.' });
  return ok({ text: text.text, format: text.format, digest });
}

const listOf = (text: string | undefined): readonly string[] => (text === undefined ? [] : [text]);
