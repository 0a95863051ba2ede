import { columnsOf, touched, type Insert, type Queryable, type Values } from './statements';

/** Runs an `insertStatement`; without rows, nothing. Gives the number of rows that are new. */
export const insertRows = async (on: Queryable, insert: Insert, workspace: string, values: readonly Values<string>[]): Promise<number> =>
  values.length === 0 ? 0 : touched(on, insert.statement, [workspace, ...columnsOf(insert.columns, values)]);
