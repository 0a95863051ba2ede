import { touched, type Queryable, type Statement, type Values } from './statements';

/** Runs an `insertStatement`; without rows, nothing. Gives the number of rows that are new. */
export const insertRows = async (on: Queryable, insert: Statement, workspace: string, values: readonly Values<string>[]): Promise<number> =>
  values.length === 0 ? 0 : touched(on, insert, [workspace, JSON.stringify(values)]);
