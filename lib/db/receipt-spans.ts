import { statement, touched, type Queryable } from './statements';

/** Leaves of one span. */
export const spanLeaves = 1024;

const closeSpans = statement(
  'close_receipt_spans',
  `INSERT INTO "receipt_spans" ("workspace_id", "nr", "from_at", "to_at", "from_revision", "to_revision")
   SELECT $1, "index" / ${String(spanLeaves)}, min("at"), max("at"), min("revision"), max("revision") FROM "receipts"
   WHERE "workspace_id" = $1 AND "index" >= $2 AND "index" < $3 GROUP BY 2`,
);

/** Writes times and revisions of the spans that leaves `from` to `to` (excluded) completed. They have to be inserted already. */
export async function writeSpans(on: Queryable, workspace: string, from: number, to: number): Promise<void> {
  const [first, end] = [Math.floor(from / spanLeaves), Math.floor(to / spanLeaves)];
  if (first < end) await touched(on, closeSpans, [workspace, first * spanLeaves, end * spanLeaves]);
}
