import type pg from 'pg';

import { big } from '../columns';
import { rows, statement } from '../statements';

const readLogSize = statement('read_log_size', `SELECT "size" FROM "ledger_heads" WHERE "workspace_id" = $1`);

export const logSize = async (pool: pg.Pool, workspace: string): Promise<bigint> => big((await rows(pool, readLogSize, [workspace]))[0]?.['size']);
