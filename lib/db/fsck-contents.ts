import type pg from 'pg';

import { contentTextDigest } from '@/lib/ledger/content';
import { contentReferences } from '@/lib/ledger/content-references';

import { text } from './columns';
import { fault, type LogFault } from './fsck-fault';
import type { ReadRow } from './log-rebuild';
import { sha256 } from './sha256';

const batchRows = 1000;

/**
 * Every content that a receipt names is there or was erased by a receipt, and every row is what its digest covers. Holds the digests
 * that were named and are not there until the receipt of their erasing comes by: as many as were erased, at most.
 */
export class ContentChecks {
  private readonly missing = new Map<string, bigint>();

  constructor(
    private readonly client: pg.ClientBase,
    private readonly workspace: string,
  ) {}

  async check(batch: readonly ReadRow[]): Promise<void> {
    const named = new Map<string, bigint>();
    for (const { row, body } of batch) for (const digest of contentReferences(body)) if (!named.has(digest)) named.set(digest, row.index);
    const sql = `SELECT w."digest" FROM unnest($2::text[]) AS w("digest") WHERE NOT EXISTS (SELECT 1 FROM "contents" AS c WHERE c."workspace_id" = $1 AND c."digest" = w."digest")`;
    const { rows } = await this.client.query<Record<string, unknown>>(sql, [this.workspace, [...named.keys()]]);
    for (const row of rows) {
      const digest = text(row['digest']);
      if (!this.missing.has(digest)) this.missing.set(digest, named.get(digest) ?? 0n);
    }
    for (const { body } of batch) if (body.kind === 'content_erased') for (const digest of body.predicate.digests) this.missing.delete(digest);
  }

  /** The first receipt whose content is gone without a word, then the first row that is not what its digest says. */
  async end(size: number): Promise<LogFault | undefined> {
    const [lost] = [...this.missing].sort(([, a], [, b]) => (a < b ? -1 : 1));
    if (lost) return fault('content', lost[1], `Content ${lost[0]} is gone, and no receipt says that it was erased.`);
    for (let after = ''; ; ) {
      const sql = `SELECT "digest", "salt", "body" FROM "contents" WHERE "workspace_id" = $1 AND "digest" > $2 ORDER BY "digest" LIMIT ${String(batchRows)}`;
      const { rows } = await this.client.query<Record<string, unknown>>(sql, [this.workspace, after]);
      for (const row of rows) {
        const digest = text(row['digest']);
        if (contentTextDigest(sha256, text(row['salt']), text(row['body'])) !== digest) return fault('content', size, `Content ${digest} is not what its digest says.`);
        after = digest;
      }
      if (rows.length < batchRows) return undefined;
    }
  }
}
