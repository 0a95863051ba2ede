import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { Channel } from '@/lib/contracts/console/notices';
import { createStores } from '@/lib/db/create-stores';
import type { ApprovalRow } from '@/lib/ports/approval-store';
import type { Notifier, NoticeText } from '@/lib/ports/notifier';
import { createLogger } from '@/lib/server/logger';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { keepNotifying } from '@/lib/server/notices/notifying';
import { randomIds } from '@/lib/server/random-ids';
import { denyRequest } from '@/lib/services/console/deny-request';
import { suspendPerson } from '@/lib/services/console/suspend-person';
import type { InForce } from '@/lib/services/in-force';
import type { PersonId } from '@/lib/shared/ids';
import { fail, ok } from '@/lib/shared/result';
import { startApprovalStage } from '@/lib/testing/approval-stage';
import { valueOf } from '@/lib/testing/console-fixture';
import { anAction, anApproval } from '@/lib/testing/row-builders';
import { openTestStores, type TestStores } from '@/lib/testing/test-stores';

import { deliverNotices } from './deliver-notices';
import type { DeliveryReport, NoticeParts } from './notice-parts';

type Sent = NoticeText & { readonly to: string | null };

/** A receiver: keeps what it is sent, in order, and refuses while `refusing` says so. */
function receiver(channel: Channel) {
  const sent: Sent[] = [];
  const state = { refusing: null as string | null };
  const notifier: Notifier = {
    channel,
    send: (text, to) => {
      sent.push({ ...text, to });
      return Promise.resolve(state.refusing === null ? ok(null) : fail('unavailable', state.refusing));
    },
  };
  return { sent, notifier, state };
}

describe('on a database of its own', () => {
  let opened: TestStores;
  let workspace: Awaited<ReturnType<TestStores['newWorkspace']>>;
  const reports: DeliveryReport[] = [];
  beforeAll(async () => {
    opened = await openTestStores();
  });
  beforeEach(async () => {
    workspace = await opened.newWorkspace();
    reports.length = 0;
  });
  afterAll(() => opened.close());

  const nothingInForce: InForce = { epoch: 0n, denied: 'policy_unsigned', root: null, roster: null, policy: null, refusal: null, switches: [], revoked: new Set(), subjects: new Map(), agents: new Map() };
  const parts = (notifiers: readonly Notifier[], more: Partial<NoticeParts> = {}): NoticeParts => ({
    ...workspace.stores, notifiers, ends: false, consoleUrl: 'https://c.example', ids: randomIds(), cryptography: { sha256: nodeSha256 },
    inForce: { current: () => Promise.resolve(nothingInForce) }, report: (what) => reports.push(what), ...more,
  });
  const hold = async (count: number): Promise<readonly ApprovalRow[]> => {
    const actions = Array.from({ length: count }, () => anAction());
    const approvals = actions.map(({ id, session }) => anApproval({ action: id, session }));
    await workspace.stores.transactor.withHead(async (tx) => {
      await workspace.stores.actions.insert(tx, actions);
      await workspace.stores.approvals.insert(tx, approvals);
    });
    return approvals;
  };
  const end = ({ id }: ApprovalRow) =>
    workspace.stores.transactor.withHead(async (tx) => void (await workspace.stores.approvals.resolve(tx, id, { state: 'denied', at: new Date().toISOString(), by: 'ada', resolution: 'no' })));
  const sql = (text: string) => opened.pool.query(text.replaceAll('$ws', `'${workspace.workspace}'`));
  const waitIsOver = () => sql('UPDATE "notice_places" SET "due_at" = clock_timestamp() WHERE "workspace_id" = $ws');
  const written = async () => (await workspace.stores.notices.written(100)).map(({ approval, kind }) => [approval, kind]);
  const stateOf = async (channel: Channel) => (await workspace.stores.notices.states()).find((one) => one.channel === channel);

  test('a request and its notice are written together or not at all, and so are its end and the notice of that', async () => {
    const [request] = await hold(1);
    if (!request) throw new Error('Nothing is held.');
    expect(await written()).toEqual([[request.id, 'held']]);
    const undone = anApproval();
    await expect(workspace.stores.transactor.withHead(async (tx) => {
      await workspace.stores.approvals.insert(tx, [undone]);
      await workspace.stores.approvals.resolve(tx, request.id, { state: 'denied', at: new Date().toISOString(), by: 'ada', resolution: null });
      throw new Error('The process dies here.');
    })).rejects.toThrow('dies');
    expect(await written()).toEqual([[request.id, 'held']]);
    await end(request);
    await end(request);
    expect((await written()).toSorted()).toEqual([[request.id, 'ended'], [request.id, 'held']]);
  });

  test('each held request is told once a channel, with its id, and a round later no more', async () => {
    const [webhook, slack] = [receiver('webhook'), receiver('slack')];
    const [one, two] = await hold(2);
    for (let round = 0; round < 2; round++) await deliverNotices(parts([webhook.notifier, slack.notifier]));
    for (const { sent } of [webhook, slack]) {
      expect(sent.map(({ id }) => id).toSorted()).toEqual([one, two].map((row) => `held_${row?.id ?? ''}`).toSorted());
      expect(sent[0]).toMatchObject({ kind: 'held', tool: 'mail', impact: 'critical', to: null, link: expect.stringMatching(/^https:\/\/c\.example\/approvals\?item=apr_\w+$/) as string });
    }
    expect(await stateOf('webhook')).toMatchObject({ waiting: 0, failing: null, given_up: 0, last_sent_at: expect.any(String) as string });
  });

  test('what has ended meanwhile is not told as held; its end is told where that is asked for', async () => {
    const [waits, over] = await hold(2);
    if (!waits || !over) throw new Error('Nothing is held.');
    await end(over);
    const plain = receiver('webhook');
    await deliverNotices(parts([plain.notifier]));
    expect(plain.sent.map(({ id }) => id)).toEqual([`held_${waits.id}`]);
    await end(waits);
    const [both, mail] = [receiver('slack'), receiver('email')];
    await deliverNotices(parts([both.notifier, mail.notifier], { ends: true }));
    expect(both.sent).toMatchObject([{ id: `ended_${waits.id}`, kind: 'ended', outcome: 'denied' }]);
    expect(mail.sent).toEqual([]);
  });

  test('ended between being spread and being delivered, it is not told either', async () => {
    const webhook = receiver('webhook');
    webhook.state.refusing = 'It answered 503.';
    const [request] = await hold(1);
    if (!request) throw new Error('Nothing is held.');
    await deliverNotices(parts([webhook.notifier]));
    await end(request);
    webhook.state.refusing = null;
    await waitIsOver();
    await deliverNotices(parts([webhook.notifier]));
    expect(webhook.sent).toHaveLength(1);
    expect(await stateOf('webhook')).toMatchObject({ waiting: 0 });
  });

  test('a place that refuses is left alone, longer each time, and says since when it fails; then the same message arrives', async () => {
    const webhook = receiver('webhook');
    webhook.state.refusing = 'It answered 503.';
    await hold(2);
    const waits: number[] = [];
    for (let round = 0; round < 3; round++) {
      await deliverNotices(parts([webhook.notifier]));
      await deliverNotices(parts([webhook.notifier]));
      const { rows } = await sql('SELECT extract(epoch FROM "due_at" - clock_timestamp())::float8 AS left FROM "notice_places" WHERE "workspace_id" = $ws');
      waits.push((rows[0] as { left: number }).left);
      await waitIsOver();
    }
    // One attempt a round: the second message does not go to a place that has just refused the first.
    expect(webhook.sent).toHaveLength(3);
    expect(waits.map((wait, at) => wait > 0 && wait <= 5 * 2 ** at)).toEqual([true, true, true]);
    expect(await stateOf('webhook')).toMatchObject({ waiting: 2, failing: { fault: 'It answered 503.' } });
    webhook.state.refusing = null;
    await deliverNotices(parts([webhook.notifier]));
    expect(new Set(webhook.sent.map(({ id }) => id)).size).toBe(2);
    expect(await stateOf('webhook')).toMatchObject({ waiting: 0, failing: null });
    expect(reports.map(({ kind }) => kind)).toEqual(['failing', 'working_again']);
  });

  test('after a dozen attempts a message is given up, and that is counted', async () => {
    const slack = receiver('slack');
    slack.state.refusing = 'It answered 404.';
    await hold(1);
    for (let round = 0; round < 14; round++) {
      await deliverNotices(parts([slack.notifier]));
      await waitIsOver();
    }
    expect(slack.sent).toHaveLength(12);
    expect(new Set(slack.sent.map(({ id }) => id)).size).toBe(1);
    expect(await stateOf('slack')).toMatchObject({ waiting: 0, given_up: 1, failing: { fault: 'It answered 404.' } });
    expect(reports.at(-1)).toMatchObject({ kind: 'given_up', count: 1 });
  });

  test('two processes at once deliver each message once', async () => {
    const webhook = receiver('webhook');
    const rows = await hold(40);
    const here = parts([webhook.notifier]);
    const there = { ...here, ...createStores(opened.another().pool, workspace.workspace) };
    for (let round = 0; round < 2; round++) await Promise.all([here, there, here, there].map(deliverNotices));
    expect(webhook.sent.map(({ id }) => id).toSorted()).toEqual(rows.map(({ id }) => `held_${id}`).toSorted());
  });

  test('a crash between delivering and saying so delivers once more, with the same id, when the lease is over', async () => {
    const webhook = receiver('webhook');
    await hold(1);
    const dies = { ...workspace.stores.notices, arrived: () => Promise.reject(new Error('The process dies here.')) };
    await expect(deliverNotices(parts([webhook.notifier], { notices: dies }))).rejects.toThrow('dies');
    await deliverNotices(parts([webhook.notifier]));
    expect(webhook.sent).toHaveLength(1);
    await sql(`UPDATE "notice_places" SET "leased_until" = clock_timestamp() - interval '1 second' WHERE "workspace_id" = $ws`);
    await deliverNotices(parts([webhook.notifier]));
    expect(webhook.sent.map(({ id }) => id)).toEqual([webhook.sent[0]?.id, webhook.sent[0]?.id]);
    await waitIsOver();
    await deliverNotices(parts([webhook.notifier]));
    expect(webhook.sent).toHaveLength(2);
  });

  test('a process that stood still for longer than its lease sends nothing more', async () => {
    const webhook = receiver('webhook');
    await hold(3);
    const slow: Notifier = {
      channel: 'webhook',
      send: async (text, to) => {
        await sql(`UPDATE "notice_places" SET "worker" = 'another', "leased_until" = clock_timestamp() + interval '60 seconds' WHERE "workspace_id" = $ws`);
        return await webhook.notifier.send(text, to);
      },
    };
    await deliverNotices(parts([slow]));
    expect(webhook.sent).toHaveLength(1);
  });

  test('a burst becomes one message that says how many, and a span has no more messages than its bound', async () => {
    const slack = receiver('slack');
    await hold(25);
    await deliverNotices(parts([slack.notifier]));
    expect(slack.sent).toMatchObject([{ kind: 'more', count: 25, link: 'https://c.example/approvals' }]);
    await hold(19);
    await deliverNotices(parts([slack.notifier]));
    await hold(3);
    await deliverNotices(parts([slack.notifier]));
    await waitIsOver();
    await deliverNotices(parts([slack.notifier]));
    expect(slack.sent).toHaveLength(20);
    await sql(`UPDATE "notice_places" SET "span_began" = clock_timestamp() - interval '61 seconds' WHERE "workspace_id" = $ws`);
    await waitIsOver();
    await deliverNotices(parts([slack.notifier]));
    expect(slack.sent.slice(20).map(({ kind }) => kind)).toEqual(['held', 'held', 'held']);
  });

  test('without a channel nothing goes out, and what nobody takes is gone after a day', async () => {
    const [old, fresh] = await hold(2);
    if (!old || !fresh) throw new Error('Nothing is held.');
    await sql(`UPDATE "notices" SET "at" = clock_timestamp() - CASE WHEN "approval_id" = '${old.id}' THEN interval '25 hours' ELSE interval '1 hour' END WHERE "workspace_id" = $ws`);
    const notifying = keepNotifying({ ...parts([]), events: workspace.stores.events }, createLogger('console', { level: 'error' }));
    await notifying.look();
    await expect.poll(written).toEqual([[fresh.id, 'held']]);
    await notifying.stop();
  });
});

describe('beside a plane', () => {
  test('people who could approve are written to, and nobody else; what they get names no argument', { timeout: 60_000 }, async () => {
    const stage = await startApprovalStage();
    const mail = receiver('email');
    const webhook = receiver('webhook');
    const logged: string[] = [];
    const notifying = keepNotifying(
      { ...stage.parts, notifiers: [mail.notifier, webhook.notifier], ends: false, consoleUrl: 'https://c.example' },
      createLogger('console', { level: 'warn', write: (line) => logged.push(line) }),
    );
    const held = await stage.hold('files', 'write', { path: '/srv/verysecretpath.txt', content: 'verysecretcontent' });
    // The event wakes it: nothing here asks for a round.
    await expect.poll(() => [...mail.sent, ...webhook.sent].length, { timeout: 20_000 }).toBe(3);
    // The requester and the agents' registrar are in the group too, and barred.
    expect(mail.sent.map(({ to }) => to).toSorted()).toEqual(['approver@harbor.example', 'second@harbor.example']);
    expect(webhook.sent).toMatchObject([{ id: `held_${held.approval}`, tool: 'files', to: null }]);
    expect(JSON.stringify([mail.sent, webhook.sent])).not.toMatch(/verysecret|Please write/);

    const second: PersonId = stage.id('second');
    valueOf(await suspendPerson(stage.parts, stage.owner.person, second));
    mail.sent.length = 0;
    await stage.hold();
    await expect.poll(() => mail.sent.length, { timeout: 20_000 }).toBe(1);
    expect(mail.sent[0]?.to).toBe('approver@harbor.example');

    valueOf(await denyRequest(stage.parts, await stage.viewer('approver'), { approval: held.approval, code: 'not_wanted', reason: 'No.' }));
    await notifying.look();
    expect(await stage.parts.notices.written(10)).toEqual([]);
    await notifying.stop();
    expect(logged).toEqual([]);
    await stage.stop();
  });
});
