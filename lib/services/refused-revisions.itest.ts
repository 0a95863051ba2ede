import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { policyRevisionSchema, type PolicyRevisionStatement } from '@/lib/authority/policy-revision';
import { signPolicy, signPolicyStatement } from '@/lib/authority/policy-statement';
import { createPool } from '@/lib/db/pool';
import type { PolicyRow } from '@/lib/ports/authority-store';
import { generateKey, type SigningKey } from '@/lib/server/ed25519';
import { nodeSha256 } from '@/lib/server/node-sha256';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { consoleStatus } from '@/lib/services/console/views/console-status';
import { applySignedRevision } from '@/lib/services/proposals/apply-signed-revision';
import { envelopeText } from '@/lib/shared/dsse';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import type { ErrorCode } from '@/lib/shared/error-codes';
import type { Digest } from '@/lib/shared/ids';
import { testConsole } from '@/lib/testing/console-fixture';
import { callPlane, listedFile, startTestPlane, type PlaneAnswer, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';
import { changeRoot } from '@/lib/testing/trust-ceremony';

let plane: TestPlane;
let parts: ConsoleParts;
let close: () => Promise<void>;
let pool: ReturnType<typeof createPool>;
let abe: SigningKey;
let olga: SigningKey;
/** The revision in force when each row below comes. */
let base: { readonly revision: number; readonly digest: Digest };
let first: PolicyRow;

beforeAll(async () => {
  plane = await startTestPlane(planePolicy);
  ({ parts, close } = await testConsole(plane));
  pool = createPool({ url: plane.databaseUrl, max: 1, onIdleError: () => undefined });
  [olga, abe] = [plane.owner, generateKey()];
  const [owner, approver] = [plane.personOf('owner'), plane.personOf('approver')];
  const [one, two] = [{ person: owner, key: olga }, { person: approver, key: abe }];
  await changeRoot(parts, { owners: [{ person: owner, key: listedFile(olga) }, { person: approver, key: listedFile(abe) }] }, one);
  await changeRoot(parts, { thresholds: { policy: 1, loosening: 2, root: 1 } }, one, two);
  const before = await inForceNow();
  const [signedByBoth] = await parts.authority.policies(1);
  if (!signedByBoth) throw new Error('No policy.');
  [base, first] = [before, signedByBoth];
  await put(await signed(next(), [olga, abe], `${planePolicy}# The one in force.\n`));
  base = await inForceNow();
  expect(base.revision).toBe(before.revision + 1);
}, 60_000);
afterAll(async () => {
  await close();
  await pool.end();
  await plane.stop();
});

const looser = planePolicy.replace('action: DENY\n    classification: forbidden', 'action: ALLOW');

async function inForceNow(): Promise<typeof base> {
  const { policy } = await parts.inForce.refresh();
  if (!policy) throw new Error('No policy is in force.');
  return { revision: policy.revision, digest: policy.digest };
}

/** A revision as owners would sign it; each row below spoils one thing of it. */
async function signed(revision: number, keys: readonly SigningKey[] = [olga, abe], text = looser, names = text): Promise<PolicyRow> {
  const [digest, named] = [digestOf(nodeSha256, utf8(text)), digestOf(nodeSha256, utf8(names))];
  const at = new Date().toISOString();
  const statement = { schema: policyRevisionSchema, workspace: parts.workspace, revision, base_digest: base.digest, digest: named, signed_at: at } as PolicyRevisionStatement;
  const signers = keys.map(({ signer }) => signer);
  return {
    revision, digest, text, format: 'yaml', signature: envelopeText(await signPolicy(utf8(text), signers)), statement: envelopeText(await signPolicyStatement(statement, signers)),
    applied_by: 'nobody', applied_at: at,
  };
}
const next = () => base.revision + 1;

async function put(row: PolicyRow): Promise<void> {
  await parts.transactor.withHead(async (tx) => {
    await parts.authority.addPolicy(tx, row);
    await parts.transactor.raiseEpoch(tx);
  });
}
async function takeAway(revision: number): Promise<void> {
  await pool.query("SET session_replication_role = 'replica'");
  await pool.query('DELETE FROM policy_revisions WHERE revision = $1', [revision]);
  await pool.query('UPDATE ledger_heads SET epoch = epoch + 1');
}
const readiness = async (url: string): Promise<unknown> => (await callPlane(url, null, 'GET', '/readyz')).body;
const drop = async (url: string): Promise<PlaneAnswer['body']> =>
  (await callPlane(url, plane.token('helper'), 'POST', '/v1/actions', { session: await plane.openSession('Drop it.'), tool: 'database', operation: 'drop', parameters: { database: 'production' } })).body;

describe('a newest revision that is refused, by a plane that runs, one that starts, and the console', () => {
  it.each<[string, ErrorCode, () => Promise<PolicyRow>]>([
    ['an altered row', 'policy_altered', async () => ({ ...(await signed(next(), [olga, abe], planePolicy)), text: looser })],
    ['an altered digest', 'policy_altered', async () => ({ ...(await signed(next())), digest: base.digest })],
    ['a statement about another text', 'policy_altered', async () => await signed(next(), [olga, abe], looser, planePolicy)],
    ['a row without a signature', 'policy_signature_missing', async () => ({ ...(await signed(next())), signature: '' })],
    ['a row without its place', 'policy_signature_missing', async () => ({ ...(await signed(next())), statement: '' })],
    ['a signature that does not verify', 'policy_signature_invalid', async () => ({ ...(await signed(next())), signature: (await signed(next())).signature.replace(/"sig":"..../, '"sig":"AAAA') })],
    ['an unknown signer', 'policy_signer_unknown', async () => await signed(next(), [generateKey()])],
    ['too few signatures for its class', 'policy_signers_too_few', async () => await signed(next(), [olga])],
    ['an older revision put back under a new number', 'policy_replayed', async () => ({ ...first, revision: next() })],
    ['a number that is not the signed one', 'policy_altered', async () => ({ ...(await signed(next() + 3)), revision: next() })],
    ['a half-written text', 'policy_half_written', async () => ({ ...(await signed(next())), text: looser.slice(0, 400) })],
    ['a half-written signature', 'policy_half_written', async () => { const row = await signed(next()); return { ...row, signature: row.signature.slice(0, 200) }; }],
    ['a half-written statement', 'policy_half_written', async () => { const row = await signed(next()); return { ...row, statement: row.statement.slice(0, 90) }; }],
    ['a text that is no policy', 'policy_invalid', async () => await signed(next(), [olga, abe], 'rules: everything\n')],
  ])('%s is refused as %s, and the last good one goes on', async (_, code, make) => {
    const row = await make();
    await put(row);
    const fresh = await plane.another();
    try {
      // The class of a change may take its time to find out; until then the last good one goes on as well.
      await expect.poll(async () => (await parts.inForce.refresh()).refusal?.code, { timeout: 20_000 }).toBe(code);
      const seen = await parts.inForce.current();
      expect(seen).toMatchObject({ denied: null, policy: base, refusal: { code } });
      expect((await consoleStatus(parts)).banners.policy_refused).toMatchObject({ code });
      for (const url of [plane.url, fresh.url]) {
        expect(await drop(url)).toMatchObject({ decision: 'DENY', code: 'forbidden_action', policy: { revision: base.revision } });
        await expect.poll(() => readiness(url), { timeout: 20_000 }).toMatchObject({ status: 'ready', policy: base, refused: code });
      }
    } finally {
      await fresh.stop();
      await takeAway(row.revision);
    }
    expect((await parts.inForce.refresh()).refusal).toBeNull();
  }, 60_000);

  it('another text that owners signed under the number in force is refused as policy_not_newer by those who know it, and denied by the others', async () => {
    const [standing] = await parts.authority.policies(1);
    if (!standing) throw new Error('No policy.');
    const other = await signed(base.revision);
    await takeAway(base.revision);
    await put(other);
    const fresh = await plane.another();
    expect(await parts.inForce.refresh()).toMatchObject({ denied: null, policy: base, refusal: { code: 'policy_not_newer' } });
    try {
      await expect.poll(() => readiness(plane.url), { timeout: 20_000 }).toMatchObject({ status: 'ready', policy: base, refused: 'policy_not_newer' });
      await expect.poll(() => readiness(fresh.url), { timeout: 20_000 }).toMatchObject({ status: 'denying_all', code: 'rollback_detected' });
    } finally {
      await fresh.stop();
      await takeAway(base.revision);
      await put(standing);
    }
    expect((await parts.inForce.refresh()).refusal).toBeNull();
  }, 60_000);
});

describe('a revision that is sent to the console', () => {
  const apply = async (row: PolicyRow) => {
    const { text, format, signature, statement } = row;
    const result = await applySignedRevision(parts, { kind: 'service', id: 'test' }, { text, format, signature, statement, origin: 'console' });
    return result.ok ? 'ok' : result.error.code;
  };

  it.each<[string, ErrorCode, () => Promise<PolicyRow>]>([
    ['with another text than was signed', 'policy_altered', async () => ({ ...(await signed(next())), text: planePolicy })],
    ['with a signature that does not verify', 'policy_signature_invalid', async () => ({ ...(await signed(next())), signature: (await signed(next())).signature.replace(/"sig":"..../, '"sig":"AAAA') })],
    ['signed by a stranger', 'policy_signer_unknown', async () => await signed(next(), [generateKey()])],
    ['signed by too few for its class', 'policy_signers_too_few', async () => await signed(next(), [olga])],
    ['that does not rise', 'policy_not_newer', async () => await signed(base.revision)],
    ['that was in force before', 'policy_not_newer', async () => first],
    ['that skips one', 'policy_base_changed', async () => await signed(next() + 1)],
  ])('%s is refused as %s, and nothing changes', async (_, code, make) => {
    expect(await apply(await make())).toBe(code);
    expect(await parts.inForce.refresh()).toMatchObject({ policy: base, refusal: null });
  });
});

describe('a process that starts without a good revision', () => {
  it('denies everything with policy_unsigned and says which was refused', async () => {
    const alone = await startTestPlane(planePolicy);
    const { parts: desk, close: end } = await testConsole({ databaseUrl: alone.databaseUrl, workspace: alone.workspace, stateDirectory: alone.stateDirectory });
    const direct = createPool({ url: alone.databaseUrl, max: 1, onIdleError: () => undefined });
    await direct.query("SET session_replication_role = 'replica'");
    await direct.query(`UPDATE policy_revisions SET signature = substr(signature, 1, 100)`);
    await direct.query('UPDATE ledger_heads SET epoch = epoch + 1');
    // Started with a fingerprint alone: nothing was served here before, so nothing is behind it.
    const fresh = await alone.another({ COUNTERSIGN_STATE: `${alone.stateDirectory}/other`, COUNTERSIGN_PIN: alone.provisioned.fingerprint });
    expect(await readiness(fresh.url)).toMatchObject({ status: 'denying_all', code: 'policy_unsigned', policy: null, refused: 'policy_half_written' });
    // The one that had verified it goes on, and says so too.
    expect(await readiness(alone.url)).toMatchObject({ status: 'ready', refused: 'policy_half_written' });
    expect(await consoleStatus(desk)).toMatchObject({ denied: { code: 'policy_unsigned', because: 'policy_half_written' } });
    await fresh.stop();
    await end();
    await direct.end();
    await alone.stop();
  }, 60_000);
});
