import type pg from 'pg';

import { channels, type ChannelState } from '@/lib/contracts/console/notices';
import type { ClaimedPlace, NewMessage, Notice, NoticePlace, NoticeStore, WaitingMessage } from '@/lib/ports/notice-store';
import type { ApprovalId, PersonId } from '@/lib/shared/ids';

import { int, oneOf, orNull, text, time, type Row } from './columns';
import { rows, statement, touched } from './statements';

/** Longer than a delivery may take, so that nobody else begins one that is still under way. */
const lease = `interval '60 seconds'`;
const mostAttempts = 12;
/** An action lives a day at most, and so does what is told of it. */
const life = `interval '24 hours'`;
const onePlace = `"workspace_id" = $1 AND "channel" = $2 AND "recipient" = $3`;

const written = statement('written_notices', `SELECT "approval_id", "kind", "at" FROM "notices" WHERE "workspace_id" = $1 ORDER BY "at", "approval_id", "kind" LIMIT $2`);
const forgetOld = statement('forget_old_notices', `DELETE FROM "notices" WHERE "workspace_id" = $1 AND "at" < clock_timestamp() - ${life}`);

/** Rows of `made` become messages, and their places are made; in one order, so that two processes do not wait for each other. */
const insertMade = `placed AS (
     INSERT INTO "notice_places" ("workspace_id", "channel", "recipient", "due_at", "failures", "given_up", "span_began", "sent")
     SELECT DISTINCT $1, "channel", "recipient", clock_timestamp(), 0, 0, clock_timestamp(), 0 FROM made ORDER BY "channel", "recipient" ON CONFLICT DO NOTHING)
   INSERT INTO "notice_messages" ("workspace_id", "channel", "recipient", "id", "kind", "approval_id", "count", "attempts", "made_at")
   SELECT $1, "channel", "recipient", "id", "kind", "approval_id", 1, 0, clock_timestamp() FROM made`;
const given = `unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) AS m("channel", "recipient", "id", "kind", "approval_id")`;
const put = statement('put_notice_messages', `WITH made AS (SELECT * FROM ${given}), ${insertMade}`);
/** Of two that delete the same notice the second finds it gone, and makes nothing of it. */
const spread = statement(
  'spread_notice',
  `WITH gone AS (DELETE FROM "notices" WHERE "workspace_id" = $1 AND "approval_id" = $7 AND "kind" = $8 RETURNING 1),
     made AS (SELECT * FROM ${given} WHERE EXISTS (SELECT 1 FROM gone)), ${insertMade}`,
);

const claim = statement(
  'claim_notice_place',
  `UPDATE "notice_places" AS p SET "worker" = $2, "leased_until" = clock_timestamp() + ${lease},
     "span_began" = CASE WHEN over THEN clock_timestamp() ELSE p."span_began" END, "sent" = CASE WHEN over THEN 0 ELSE p."sent" END
   FROM (
     SELECT q."channel", q."recipient", q."span_began" + make_interval(secs => c."span_ms" / 1000.0) <= clock_timestamp() AS over
     FROM "notice_places" AS q JOIN unnest($3::text[], $4::int4[]) AS c("channel", "span_ms") ON c."channel" = q."channel"
     WHERE q."workspace_id" = $1 AND q."due_at" <= clock_timestamp() AND (q."leased_until" IS NULL OR q."leased_until" < clock_timestamp())
       AND EXISTS (SELECT 1 FROM "notice_messages" AS m WHERE m."workspace_id" = $1 AND m."channel" = q."channel" AND m."recipient" = q."recipient")
     ORDER BY q."due_at" LIMIT 1 FOR UPDATE OF q SKIP LOCKED) AS due
   WHERE p."workspace_id" = $1 AND p."channel" = due."channel" AND p."recipient" = due."recipient"
   RETURNING p."channel", p."recipient", p."failures", p."sent"`,
);
const renew = statement(
  'renew_notice_place',
  `UPDATE "notice_places" SET "leased_until" = clock_timestamp() + ${lease} WHERE ${onePlace} AND "worker" = $4 AND "leased_until" > clock_timestamp()`,
);
const release = statement(
  'release_notice_place',
  `UPDATE "notice_places" SET "worker" = NULL, "leased_until" = NULL,
     "due_at" = CASE WHEN $5::int4 IS NULL THEN "due_at" ELSE "span_began" + make_interval(secs => $5::int4 / 1000.0) END
   WHERE ${onePlace} AND "worker" = $4`,
);
const letGo = statement(
  'let_go_of_notice_messages',
  `DELETE FROM "notice_messages" AS m WHERE ${onePlace} AND "kind" IN ('held', 'escalated') AND NOT EXISTS (
     SELECT 1 FROM "approvals" AS p WHERE p."workspace_id" = $1 AND p."id" = m."approval_id" AND p."state" = 'pending')`,
);
const giveUp = statement(
  'give_up_notice_messages',
  `WITH gone AS (DELETE FROM "notice_messages" WHERE ${onePlace} AND ("attempts" >= ${String(mostAttempts)} OR "made_at" < clock_timestamp() - ${life}) RETURNING 1)
   UPDATE "notice_places" SET "given_up" = "given_up" + (SELECT count(*)::int4 FROM gone) WHERE ${onePlace} RETURNING (SELECT count(*)::int4 FROM gone) AS "gone"`,
);
const waiting = statement(
  'waiting_notice_messages',
  `SELECT "id", "kind", "approval_id", "count", "made_at" FROM "notice_messages" WHERE ${onePlace} ORDER BY "attempts", "made_at", "id" LIMIT $4`,
);
const gather = statement(
  'gather_notice_messages',
  `WITH gone AS (DELETE FROM "notice_messages" WHERE ${onePlace} RETURNING "count", "made_at")
   INSERT INTO "notice_messages" ("workspace_id", "channel", "recipient", "id", "kind", "count", "attempts", "made_at")
   SELECT $1, $2, $3, $4, 'more', sum("count")::int4, 0, min("made_at") FROM gone HAVING count(*) > 0`,
);
const arrived = statement(
  'notice_message_arrived',
  `WITH gone AS (DELETE FROM "notice_messages" WHERE ${onePlace} AND "id" = $4)
   UPDATE "notice_places" SET "sent" = "sent" + 1, "failures" = 0, "failing_since" = NULL, "fault" = NULL, "last_sent_at" = clock_timestamp() WHERE ${onePlace}`,
);
const failed = statement(
  'notice_message_failed',
  `WITH tried AS (UPDATE "notice_messages" SET "attempts" = "attempts" + 1 WHERE ${onePlace} AND "id" = $4)
   UPDATE "notice_places" SET "failures" = "failures" + 1, "failing_since" = coalesce("failing_since", clock_timestamp()), "fault" = $5,
     "due_at" = clock_timestamp() + make_interval(secs => $6::int4 / 1000.0) WHERE ${onePlace}`,
);
const removePlace = statement(
  'remove_notice_place',
  `WITH gone AS (DELETE FROM "notice_messages" WHERE ${onePlace}) DELETE FROM "notice_places" WHERE ${onePlace}`,
);
const states = statement(
  'notice_channel_states',
  `SELECT p."channel", max(p."last_sent_at") AS "last_sent_at", sum(p."given_up")::int4 AS "given_up", min(p."failing_since") AS "failing_since",
     (array_agg(p."fault" ORDER BY p."failing_since") FILTER (WHERE p."fault" IS NOT NULL))[1] AS "fault",
     (SELECT count(*)::int4 FROM "notice_messages" AS m WHERE m."workspace_id" = $1 AND m."channel" = p."channel") AS "waiting"
   FROM "notice_places" AS p WHERE p."workspace_id" = $1 GROUP BY p."channel"`,
);

export function postgresNoticeStore(pool: pg.Pool, workspace: string): NoticeStore {
  const at = ({ channel, recipient }: NoticePlace): readonly [string, string, string] => [workspace, channel, recipient ?? ''];
  return {
    written: async (limit) => (await rows(pool, written, [workspace, limit])).map(readNotice),
    spread: async ({ approval, kind }, messages) => void (await touched(pool, spread, [workspace, ...columnsOf(messages), approval, kind])),
    put: async (messages) => void (await touched(pool, put, [workspace, ...columnsOf(messages)])),
    forgetOld: async () => void (await touched(pool, forgetOld, [workspace])),
    claim: async (worker, among, spanMs) => (await rows(pool, claim, [workspace, worker, among, among.map((channel) => spanMs[channel])])).map(readClaimed)[0],
    renew: async (place, worker) => (await touched(pool, renew, [...at(place), worker])) === 1,
    tidy: async (place) => {
      await touched(pool, letGo, at(place));
      return (await rows(pool, giveUp, at(place))).reduce((sum, row) => sum + int(row['gone']), 0);
    },
    waiting: async (place, limit) => (await rows(pool, waiting, [...at(place), limit])).map((row) => readWaiting(place, row)),
    gather: async (place, id) => void (await touched(pool, gather, [...at(place), id])),
    arrived: async (place, id) => void (await touched(pool, arrived, [...at(place), id])),
    failed: async (place, id, fault, waitMs) => void (await touched(pool, failed, [...at(place), id, fault, waitMs])),
    release: async (place, worker, untilNextSpan) => void (await touched(pool, release, [...at(place), worker, untilNextSpan ?? null])),
    removePlace: async (place) => void (await touched(pool, removePlace, at(place))),
    states: async () => (await rows(pool, states, [workspace])).map(readState),
  };
}

const columnsOf = (messages: readonly NewMessage[]): readonly (readonly (string | null)[])[] => [
  messages.map(({ channel }) => channel),
  messages.map(({ recipient }) => recipient ?? ''),
  messages.map(({ id }) => id),
  messages.map(({ kind }) => kind),
  messages.map(({ approval }) => approval),
];

const readNotice = (row: Row): Notice => ({ approval: text(row['approval_id']) as ApprovalId, kind: oneOf(['held', 'escalated', 'ended'])(row['kind']), at: time(row['at']) });

function readClaimed(row: Row): ClaimedPlace {
  const recipient = text(row['recipient']);
  return {
    channel: oneOf(channels)(row['channel']),
    recipient: recipient === '' ? null : (recipient as PersonId),
    failures: int(row['failures']),
    sent: int(row['sent']),
  };
}

const readWaiting = ({ channel, recipient }: NoticePlace, row: Row): WaitingMessage => ({
  channel,
  recipient,
  id: text(row['id']),
  kind: oneOf(['held', 'escalated', 'ended', 'more', 'test'])(row['kind']),
  approval: orNull(text)(row['approval_id']) as ApprovalId | null,
  count: int(row['count']),
  made_at: time(row['made_at']),
});

function readState(row: Row): ChannelState {
  const since = orNull(time)(row['failing_since']);
  return {
    channel: oneOf(channels)(row['channel']),
    waiting: int(row['waiting']),
    failing: since === null ? null : { since, fault: text(row['fault']) },
    last_sent_at: orNull(time)(row['last_sent_at']),
    given_up: int(row['given_up']),
  };
}
