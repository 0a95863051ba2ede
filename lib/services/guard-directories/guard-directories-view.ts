import { neededPolicySigners } from '@/lib/authority/verify-policy-revision';
import type { GuardCard, GuardDirectoriesView, GuardDirectoryView } from '@/lib/contracts/console/guard-directories';
import type { Viewer } from '@/lib/contracts/console/viewer';
import type { ProposalRow, ProposalSignatureRow } from '@/lib/ports/proposal-store';
import type { ConsoleParts } from '@/lib/services/console/console-parts';

import { proposalBounds } from '../proposals/proposal-bounds';
import { directoryOf, guardProposalOf } from './guard-row';

/** Ended proposals that are shown, newest first. */
const mostEnded = 50;

/** Attached directories as they are now, and their proposals. A row whose text is not what its digest names is left out: nobody can sign it. */
export async function guardDirectoriesView(parts: ConsoleParts, viewer: Viewer): Promise<GuardDirectoriesView> {
  const { root, roster } = await parts.inForce.current();
  const names = new Map(roster?.roster.people.map(({ id, name }) => [String(id), name]));
  const [live, ended] = [await listed(parts, 'live', 2 * proposalBounds.live), await listed(parts, 'ended', 500)];
  const shown = [...live, ...ended.slice(0, mostEnded)];
  const signatures = await parts.proposals.signatures(shown.map(({ id }) => id));
  const card = (row: ProposalRow): readonly GuardCard[] => cardOf(parts, row, signatures, root ? neededPolicySigners(root.root, 'loosen') : 1, viewer, (id) => names.get(id) ?? id);
  return {
    console_uid: parts.guards.uid,
    directories: parts.guards.attached.map(({ name, path }) => directoryView(parts, name, path)),
    live: live.flatMap(card),
    ended: ended.slice(0, mostEnded).flatMap(card),
    may_sign: root?.root.owners.some(({ person }) => person === viewer.person) === true,
  };
}

async function listed(parts: ConsoleParts, which: 'live' | 'ended', most: number): Promise<readonly ProposalRow[]> {
  const attached = new Set(parts.guards.attached.map(({ name }) => name));
  const rows = (await parts.proposals.list(which, most)).filter((row) => row.target === 'allowlist' && attached.has(directoryOf(row)));
  return (await Promise.all(rows.slice(0, 2 * proposalBounds.live).map(({ id }) => parts.proposals.find(id)))).filter((row) => row !== undefined);
}

function directoryView({ guards }: ConsoleParts, name: string, path: string): GuardDirectoryView {
  const seen = guards.look(name);
  if (!seen.ok) return { name, path, refusal: seen.error.detail, owned: false, owner_uid: null, agent_uid: null, revision: null, digest: null, permissions: [], odd: [] };
  const { allowlist, owned, odd } = seen.value;
  return {
    name, path, refusal: null, owned, owner_uid: allowlist.ownerUid, agent_uid: allowlist.agentUid, revision: allowlist.revision, digest: allowlist.digest,
    permissions: allowlist.permissions, odd: odd.slice(0, 100),
  };
}

function cardOf({ cryptography }: ConsoleParts, row: ProposalRow, all: readonly ProposalSignatureRow[], needed: number, viewer: Viewer, nameOf: (id: string) => string): readonly GuardCard[] {
  const proposal = guardProposalOf(row, cryptography.sha256);
  if (!proposal.ok) return [];
  const { permission, reason, requestedAt, base } = proposal.value;
  const signatures = all.filter(({ proposal: of }) => of === row.id);
  return [
    {
      id: row.id, directory: directoryOf(row), state: row.state, permission, reason, requested_at: requestedAt, uid: row.maker_id.slice(row.maker_id.indexOf('/') + 1).replace('uid-', ''),
      at: row.proposed_at, text: row.text, digest: row.digest, base, needed, signed: signatures.map(({ person, signed_at }) => ({ name: nameOf(person), at: signed_at })),
      signed_by_me: signatures.some(({ person }) => person === viewer.person),
      end: row.end && { at: row.end.ended_at, by: nameOf(row.end.ended_by), reason: row.end.ended_reason, revision: row.end.revision, receipt: row.end.ended_receipt },
    },
  ];
}
