import type pg from 'pg';

import { ContentChecks } from './fsck-contents';
import { fault, type LogFault } from './fsck-fault';
import { RowChecks } from './fsck-rows';
import { checkChains } from './fsck-sessions';
import type { ReadRow } from './log-rebuild';

/** What is stored beside the log and follows from its receipts: contents, steps of sessions, and the rows that people and the plane act on. */
export class BesideChecks {
  private readonly contents: ContentChecks;
  private readonly rows: RowChecks;

  constructor(
    private readonly client: pg.ClientBase,
    private readonly workspace: string,
  ) {
    this.contents = new ContentChecks(client, workspace);
    this.rows = new RowChecks(client, workspace);
  }

  async check(batch: readonly ReadRow[]): Promise<LogFault | undefined> {
    await this.contents.check(batch);
    return await this.rows.check(batch);
  }

  async end(size: number): Promise<LogFault | undefined> {
    const chain = await checkChains(this.client, this.workspace);
    if (chain !== undefined) return fault('context', size, chain);
    return (await this.contents.end(size)) ?? (await this.rows.extra(size));
  }
}
