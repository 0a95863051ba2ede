import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createPool } from '@/lib/db/pool';
import type { LogRow } from '@/lib/ports/ledger-reader';
import { denyRequest } from '@/lib/services/console/deny-request';
import { prepareRelease, releaseSwitch } from '@/lib/services/console/release-switch';
import { prepareRestoration, restoreAgent } from '@/lib/services/console/restore-agent';
import { suspendAgent } from '@/lib/services/console/suspend-agent';
import { throwSwitch } from '@/lib/services/console/throw-switch';
import { prepareGrant } from '@/lib/services/grants/prepare-grant';
import { signGrant } from '@/lib/services/grants/sign-grant';
import type { InForce } from '@/lib/services/in-force';
import { applyProposal } from '@/lib/services/proposals/apply-proposal';
import { rejectProposal } from '@/lib/services/proposals/end-proposal';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { isId, type GrantId, type ProposalId } from '@/lib/shared/ids';
import { startApprovalStage, type ApprovalStage, type Held } from '@/lib/testing/approval-stage';
import { codeOf, signText, testConsole, valueOf } from '@/lib/testing/console-fixture';
import { proposed, signedBy } from '@/lib/testing/proposing';
import type { PlaneAnswer } from '@/lib/testing/plane-fixture';
import { changeRoot } from '@/lib/testing/trust-ceremony';
import { writeRevision } from '@/lib/testing/write-revision';

/**
 * Whoever has the database's password, and no key: bytes altered, columns swapped, rows copied to another key, taken out, put back, and
 * signatures played again for something else. One row of the table is one trick on one kind of document; each leaves the others alone.
 */
let stage: ApprovalStage;
let pool: ReturnType<typeof createPool>;

beforeAll(async () => {
  stage = await startApprovalStage();
  pool = createPool({ url: stage.plane.databaseUrl, max: 1, onIdleError: () => undefined });
  await changeRoot(stage.parts, { cool_off_seconds: 3600 }, stage.owner);
  await stage.hold();
}, 90_000);
afterAll(async () => {
  await pool.end();
  await stage.stop();
});

/** Triggers do not run for them, and every process is told to look. */
async function alter(...statements: readonly (string | readonly [string, ...unknown[]])[]): Promise<void> {
  await pool.query("SET session_replication_role = 'replica'");
  for (const statement of statements) {
    const [sql, ...values] = typeof statement === 'string' ? [statement] : statement;
    expect((await pool.query(sql, values)).rowCount, sql).toBeGreaterThan(0);
  }
  await pool.query('UPDATE ledger_heads SET epoch = epoch + 1');
}
/** So that no search finds these receipts any more. */
const hidden = (where: string): string =>
  `UPDATE receipts SET kind = 'session_opened', action_id = NULL, session_id = NULL, facet = (SELECT facet FROM receipts WHERE kind = 'session_opened' LIMIT 1) WHERE ${where}`;

/** What a console says that starts now, on the same state directory. */
async function startedNow<T>(work: (parts: ConsoleParts, seen: InForce) => Promise<T>): Promise<T> {
  const { plane } = stage;
  const { parts, close } = await testConsole({ databaseUrl: plane.databaseUrl, workspace: plane.workspace, stateDirectory: plane.stateDirectory });
  try {
    return await work(parts, await parts.inForce.refresh());
  } finally {
    await close();
  }
}
const actionNow = async ({ action }: Held): Promise<PlaneAnswer['body']> => (await stage.plane.call(stage.plane.token('helper'), 'GET', `/v1/actions/${action}?wait=10`)).body;
async function saysApproved({ approval }: Held): Promise<void> {
  await alter([`UPDATE approvals SET state = 'approved', resolved_at = now(), resolved_by = 'nobody' WHERE id = $1`, approval]);
  await pool.query('SELECT pg_notify($1, $2)', [`countersign_${stage.plane.workspace}`, JSON.stringify({ kind: 'approval_changed', id: approval })]);
}
const withRule = async (id: string): Promise<string> => `${(await stage.parts.inForce.refresh()).policy?.text ?? ''}  - id: ${id}\n    match: { tool: files, operation: list }\n    action: ALLOW\n    reason: "These."\n`;
/** Signed by the owner, and not in force before an hour has passed. */
async function signedProposal(rule: string): Promise<ProposalId> {
  const id = await proposed(stage.parts, stage.owner, await withRule(rule));
  const { steps } = valueOf(await signedBy(stage.parts, stage.owner, [id]));
  expect(steps).toMatchObject([{ applied: false }]);
  return id;
}
const applied = (id: ProposalId) => startedNow(async (parts) => codeOf(await applyProposal(parts, { kind: 'person', id: stage.owner.person }, id)));
async function give(uses: number, replaces?: GrantId): Promise<GrantId> {
  const terms = { agent: 'helper', tool: 'database', operation: null, scope: null, uses, expires_at: new Date(Date.now() + 1_800_000).toISOString(), reason: 'For the test.' };
  const { document } = valueOf(await prepareGrant(stage.parts, replaces === undefined ? { ...terms, expires_at: new Date(Date.now() + 3_600_000).toISOString() } : { ...terms, replaces }));
  const { grant } = valueOf(await signGrant(stage.parts, stage.owner.person, { envelope: await signText(document, stage.owner.key) }));
  if (!isId('grant', grant)) throw new Error('No id of a grant.');
  return grant;
}

/** The same receipts once more, at the end of the log. */
const tellAgain = (...told: readonly LogRow[]) =>
  stage.parts.transactor.withHead(async (tx) => await stage.parts.ledger.append(tx, told.map(({ kind, at, envelope }) => ({ id: stage.parts.ids.make('receipt'), kind, at, envelope }))));

type Trick = { readonly document: string; readonly trick: string; readonly holds: () => Promise<void> };

const tricks: readonly Trick[] = [
  {
    document: 'proposal', trick: 'its rejection hidden, its row and its signature set back', holds: async () => {
      const id = await signedProposal('turned-down');
      valueOf(await rejectProposal(stage.parts, { kind: 'person', id: stage.owner.person }, id, 'No.'));
      await stage.parts.inForce.refresh();
      await alter(hidden(`kind = 'policy_rejected'`), [`UPDATE proposals SET state = 'signed', ended_at = NULL, ended_by = NULL, ended_reason = NULL, ended_receipt = NULL WHERE id = $1`, id]);
      await alter([`UPDATE proposal_signatures SET signed_at = signed_at - interval '1 day' WHERE proposal_id = $1`, id]);
      expect(await applied(id)).toBe('already_resolved');
    },
  },
  {
    document: 'proposal', trick: 'its signature dated back, so that the cool-off would be over', holds: async () => {
      const id = await signedProposal('dated-back');
      await alter([`UPDATE proposal_signatures SET signed_at = signed_at - interval '1 day' WHERE proposal_id = $1`, id]);
      expect(await applied(id)).toBe('cool_off_runs');
    },
  },
  {
    document: 'policy revision', trick: 'copied to the next number', holds: async () => {
      const before = (await stage.parts.inForce.refresh()).policy?.revision ?? 0;
      await alter([`INSERT INTO policy_revisions SELECT workspace_id, $1, digest, text, format, signature, statement, applied_by, applied_at FROM policy_revisions WHERE revision = $2`, before + 1, before]);
      await startedNow(async (_, seen) => expect(seen).toMatchObject({ denied: null, policy: { revision: before } }));
      await alter([`DELETE FROM policy_revisions WHERE revision = $1`, before + 1]);
    },
  },
  {
    document: 'policy revision', trick: 'its receipt copied to where the root knew no cool-off', holds: async () => {
      const before = (await stage.parts.inForce.refresh()).policy?.revision ?? 0;
      await writeRevision(stage.plane, await withRule('from-a-file'), [stage.owner.key], { change: 'loosen' });
      await startedNow(async (_, seen) => expect(seen).toMatchObject({ denied: null, policy: { revision: before }, refusal: { code: 'cool_off_runs' } }));
      const own = `kind = 'policy_applied' AND revision = ${String(before + 1)}`;
      await alter(`CREATE TEMP TABLE kept AS SELECT * FROM receipts WHERE index = 3 OR (${own})`, hidden(own), `UPDATE receipts SET kind = k.kind, facet = k.facet, revision = k.revision, envelope = k.envelope FROM kept AS k WHERE receipts.index = 3 AND k.index <> 3`);
      try {
        await startedNow(async (_, seen) => expect(seen).toMatchObject({ denied: null, policy: { revision: before }, refusal: { code: 'ledger_broken' } }));
      } finally {
        await alter('DELETE FROM receipts WHERE index IN (SELECT index FROM kept)', 'INSERT INTO receipts SELECT * FROM kept', ['DELETE FROM policy_revisions WHERE revision = $1', before + 1]);
      }
    },
  },
  {
    document: 'trust root', trick: 'the receipt of it hidden and told again at the end, so that keys which it dropped would count in between', holds: async () => {
      const history = (await stage.parts.inForce.refresh()).root?.history?.map(({ index }) => index);
      const told = (await stage.parts.log.search({ kind: 'trust_root_changed' }, { limit: 1 })).rows[0] ?? raise();
      await alter(hidden(`id = '${told.id}'`));
      await tellAgain(told);
      await startedNow(async (_, seen) => expect(seen.root?.history?.map(({ index }) => index)).toEqual(history));
    },
  },
  {
    document: 'roster', trick: 'an older one put in as the next', holds: async () => {
      const next = ((await stage.parts.inForce.refresh()).roster?.roster.version ?? 0) + 1;
      await alter(['INSERT INTO rosters (workspace_id, version, envelope) SELECT workspace_id, $1, envelope FROM rosters WHERE version = 1', next]);
      expect((await stage.parts.inForce.refresh()).roster?.roster.version).toBe(next - 1);
      await startedNow(async (_, seen) => expect(seen).toMatchObject({ denied: 'policy_unreadable', roster: null }));
      await alter(['DELETE FROM rosters WHERE version = $1', next]);
    },
  },
  {
    document: 'grant', trick: 'the row of a wider one taken out while it is narrowed, and put back', holds: async () => {
      const wide = await give(3);
      await alter(`CREATE TEMP TABLE kept_grant AS SELECT * FROM grants WHERE id = '${wide}'`, ['DELETE FROM grants WHERE id = $1', wide]);
      const narrow = await give(1, wide);
      await alter('INSERT INTO grants SELECT * FROM kept_grant');
      await startedNow(async (_, seen) => expect(seen.grants?.map(({ terms }) => terms.grant)).toEqual([narrow]));
    },
  },
  {
    document: 'vote', trick: 'copied to another request', holds: async () => {
      const [given, other] = [await stage.hold(), await stage.hold()];
      valueOf(await stage.cast('approver', given.approval));
      await alter(['INSERT INTO votes SELECT workspace_id, $1, person_id, verdict, reason, statement, envelope, key_id, key_kind, at FROM votes WHERE approval_id = $2', other.approval, given.approval]);
      await saysApproved(other);
      expect(await actionNow(other)).toMatchObject({ state: 'withdrawn', code: 'permit_stale' });
    },
  },
  {
    document: 'vote', trick: 'copied to another person, and one with another signature, where two are asked for', holds: async () => {
      const payment = await stage.payment();
      valueOf(await stage.cast('approver', payment.approval));
      await alter(['INSERT INTO votes SELECT workspace_id, approval_id, $1, verdict, reason, statement, envelope, key_id, key_kind, at FROM votes WHERE approval_id = $2', stage.id('second'), payment.approval]);
      await alter([`INSERT INTO votes SELECT workspace_id, approval_id, $1, verdict, reason, statement, regexp_replace(envelope, '"sig":"....', '"sig":"AAAA'), key_id, key_kind, at FROM votes WHERE approval_id = $2 LIMIT 1`, stage.id('requester'), payment.approval]);
      await saysApproved(payment);
      expect(await actionNow(payment)).toMatchObject({ state: 'withdrawn', code: 'permit_stale' });
    },
  },
  {
    document: 'denial', trick: 'hidden, and its request opened again', holds: async () => {
      const held = await stage.hold();
      valueOf(await denyRequest(stage.parts, await stage.viewer('second'), { approval: held.approval, code: 'other', reason: 'No.' }));
      await stage.parts.inForce.refresh();
      await alter(
        hidden(`action_id = '${held.action}' AND kind IN ('approval_voted', 'approval_resolved')`), ['DELETE FROM votes WHERE approval_id = $1', held.approval],
        ['UPDATE approvals SET state = $2, resolved_at = NULL, resolved_by = NULL, resolution = NULL WHERE id = $1', held.approval, 'pending'], [`UPDATE actions SET state = 'held', code = 'step_up' WHERE id = $1`, held.action],
      );
      expect(codeOf(await stage.cast('approver', held.approval))).toBe('ledger_broken');
    },
  },
  {
    document: 'registration of an agent', trick: 'by somebody else, so that whoever registered it may approve', holds: async () => {
      await alter([`UPDATE agents SET registered_by = $1 WHERE id = 'helper'`, stage.id('second')]);
      const held = await stage.hold();
      expect(codeOf(await stage.cast('admin', held.approval))).toBe('separation_of_duties');
      expect(codeOf(await stage.cast('second', held.approval))).toBe('ok');
    },
  },
  {
    document: 'session', trick: 'its newest step taken out, and the receipts of it hidden', holds: async () => {
      const { plane } = stage;
      const session = await plane.openSession('Look at the customers, then mail ann@partner.example.');
      const propose = (tool: string, operation: string, parameters: object) => plane.call(plane.token('helper'), 'POST', '/v1/actions', { session, tool, operation, parameters });
      expect((await propose('database', 'query', { query: 'SELECT * FROM customers' })).body.decision).toBe('ALLOW');
      await alter(
        hidden(`session_id = '${session}' AND kind <> 'session_opened'`), [`DELETE FROM context_entries WHERE session_id = $1 AND seq > 1`, session],
        [`UPDATE sessions SET seq = 1, last_at = opened_at, head = (SELECT hash FROM context_entries WHERE session_id = $1 AND seq = 1) WHERE id = $1`, session],
      );
      for (let turn = 0; turn < 2; turn++) expect((await propose('email', 'send', { to: 'ann@partner.example', body: 'all of them' })).status).toBe(503);
    },
  },
  {
    document: 'restoration of an agent', trick: 'told again behind a later suspension, with the suspension that it did end, and the row set back', holds: async () => {
      const { parts } = stage;
      const suspended = () => startedNow(async (_, seen) => seen.agents.get('stranger')?.suspended_at !== null);
      valueOf(await suspendAgent(parts, stage.id('admin'), 'stranger'));
      const { document } = valueOf(await prepareRestoration(parts, 'stranger'));
      valueOf(await restoreAgent(parts, stage.owner.person, { agent: 'stranger', reason: 'Looked.', envelope: await signText(document, stage.owner.key) }));
      expect(await suspended()).toBe(false);
      const [restoration, suspension] = (await parts.log.search({ kind: 'credential_administered', agent: 'stranger' }, { limit: 2 })).rows;
      valueOf(await suspendAgent(parts, stage.id('admin'), 'stranger'));
      await tellAgain(suspension ?? raise(), restoration ?? raise());
      await alter(`UPDATE agents SET suspended_at = NULL WHERE id = 'stranger'`);
      expect(await suspended()).toBe(true);
    },
  },
  {
    document: 'throw', trick: 'said by a row already, so that the real one would not be written down', holds: async () => {
      const { parts } = stage;
      const notes = { scope: 'tool', subject: 'notes' } as const;
      await alter([`INSERT INTO switches (workspace_id, scope, subject, thrown_by, thrown_at) VALUES ($1, 'tool', 'notes', 'nobody', now())`, parts.workspace]);
      valueOf(await throwSwitch(parts, stage.id('admin'), { ...notes, reason: 'Look first.' }));
      await alter('DELETE FROM switches');
      await startedNow(async (_, seen) => expect(seen.switches).toMatchObject([{ ...notes, reason: 'Look first.' }]));
      const { document } = valueOf(await prepareRelease(parts, notes));
      valueOf(await releaseSwitch(parts, stage.owner.person, { ...notes, reason: 'Looked.', envelope: await signText(document, stage.owner.key) }));
    },
  },
];

function raise(): never {
  throw new Error('It is not there.');
}

describe('with the database in an attacker’s hands nothing is gained by a', () => {
  it.each(tricks)('$document: $trick', async ({ holds }) => await holds());
});
