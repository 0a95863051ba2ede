import type pg from 'pg';

import type { Row } from './columns';

/** Whatever takes a query: the pool, or the client of an open transaction. */
export type Queryable = Pick<pg.ClientBase, 'query'>;

/** A statement that each connection plans once, under its name. */
export type Statement = { readonly name: string; readonly text: string };

export const statement = (name: string, text: string): Statement => ({ name, text });

export async function rows(on: Queryable, { name, text }: Statement, values: readonly unknown[]): Promise<readonly Row[]> {
  return (await on.query<Record<string, unknown>>({ name, text, values: [...values] })).rows;
}

/** How many rows the statement touched. */
export async function touched(on: Queryable, { name, text }: Statement, values: readonly unknown[]): Promise<number> {
  return (await on.query({ name, text, values: [...values] })).rowCount ?? 0;
}

type ColumnType = 'text' | 'text[]' | 'int4' | 'int8' | 'bool' | 'timestamptz' | 'bytea';

/** Names and types of a table's columns beside `workspace_id`. */
export type Columns<Name extends string = string> = Readonly<Record<Name, ColumnType>>;

/** One value a column in its JSON form; `int8` as text, `bytea` as its hex literal. */
export type Values<Name extends string> = Readonly<Record<Name, string | number | boolean | null | readonly string[]>>;

const quote = (name: string): string => `"${name}"`;

export const columnList = (columns: Columns, alias?: string): string =>
  Object.keys(columns)
    .map((name) => (alias === undefined ? quote(name) : `${alias}.${quote(name)}`))
    .join(', ');

const typedColumns = (columns: Columns): string =>
  Object.entries(columns)
    .map(([name, type]) => `${quote(name)} ${type}`)
    .join(', ');

/** The rows of a JSON parameter as the table `alias`, so that one statement takes any number of them. */
export const rowsOf = (columns: Columns, parameter: string, alias: string): string =>
  `json_to_recordset(${parameter}::json) AS ${alias}(${typedColumns(columns)})`;

/** $1 is the workspace, $2 the rows. A group commit sends a few statements, however many actions it holds. */
export const insertStatement = (table: string, columns: Columns, conflict = ''): Statement =>
  statement(
    `insert_${table}`,
    `INSERT INTO ${quote(table)} ("workspace_id", ${columnList(columns)})
     SELECT $1, ${columnList(columns, 'r')} FROM ${rowsOf(columns, '$2', 'r')} ${conflict}`,
  );
