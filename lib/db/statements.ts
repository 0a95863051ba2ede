import type pg from 'pg';

import { binaryArray, type Cell, type ElementType } from './binary-array';
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

type ColumnType = ElementType | 'text[]';

/** Names and types of a table's columns beside `workspace_id`. */
export type Columns<Name extends string = string> = Readonly<Record<Name, ColumnType>>;

/** One value a column, in the form that `binaryArray` takes. */
export type Values<Name extends string> = Readonly<Record<Name, Cell | readonly string[]>>;

const quote = (name: string): string => `"${name}"`;

export const columnList = (columns: Columns, alias?: string): string =>
  Object.keys(columns)
    .map((name) => (alias === undefined ? quote(name) : `${alias}.${quote(name)}`))
    .join(', ');

/**
 * Rows as the table `alias`, one parameter a column from `$first` on, so that one statement takes any number of them.
 * The parameters are what `columnsOf` makes.
 */
export const rowsOf = (columns: Columns, first: number, alias: string): string => {
  const parameters = Object.values(columns).map((type, i) => `$${String(first + i)}::${type === 'text[]' ? 'text' : type}[]`);
  return `unnest(${parameters.join(', ')}) AS ${alias}(${columnList(columns)})`;
};

/** The columns of the rows as binary arrays. A list of texts travels as PostgreSQL's text of it, since arrays of arrays may not be ragged. */
export const columnsOf = (columns: Columns, values: readonly Values<string>[]): Buffer[] =>
  Object.entries(columns).map(([name, type]) => {
    const cells = values.map((row) => cellOf(row[name]));
    return binaryArray(type === 'text[]' ? 'text' : type, cells);
  });

const cellOf = (value: Cell | readonly string[] | undefined): Cell => (isList(value) ? listText(value) : (value ?? null));

const isList = (value: Cell | readonly string[] | undefined): value is readonly string[] => Array.isArray(value);

const listText = (texts: readonly string[]): string => `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;

export type Insert = { readonly statement: Statement; readonly columns: Columns };

/** $1 is the workspace, then the columns. A group commit sends a few statements, however many actions it holds. */
export function insertStatement(table: string, columns: Columns, conflict = ''): Insert {
  const selected = Object.entries(columns).map(([name, type]) => `r.${quote(name)}${type === 'text[]' ? '::text[]' : ''}`);
  const text = `INSERT INTO ${quote(table)} ("workspace_id", ${columnList(columns)})
     SELECT $1, ${selected.join(', ')} FROM ${rowsOf(columns, 2, 'r')} ${conflict}`;
  return { statement: statement(`insert_${table}`, text), columns };
}
