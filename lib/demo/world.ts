import type { Tool } from '@/lib/pep/sdk/guarded-tool';
import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';

/** What a record of a table holds; `state` and `age_days` are what the demo's conditions compare. */
export type Row = { readonly id: number } & JsonObject;

/**
 * The harbour office as its tools see it: mail, tables, files, a calendar, a bank, machines. It lives in the agents' process and
 * is gone with it; permits, receipts and everything else about it is real.
 */
export type World = {
  readonly mail: Map<string, JsonObject>;
  readonly sent: JsonObject[];
  readonly tables: Map<string, Row[]>;
  readonly files: Map<string, string>;
  readonly shared: JsonObject[];
  readonly events: JsonObject[];
  readonly transfers: JsonObject[];
  readonly commands: string[];
};

type Operation = (world: World, parameters: JsonObject) => Json;

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));
const limitOf = (parameters: JsonObject, all: number): number => (typeof parameters.limit === 'number' ? Math.min(parameters.limit, all) : all);
const tableOf = (world: World, name: string): Row[] => {
  const rows = world.tables.get(name);
  if (!rows) throw new Error(`There is no table ${name}.`);
  return rows;
};

const operations: Readonly<Record<string, Operation>> = {
  'email.search': (world, { query }) => [...world.mail].filter(([, mail]) => text(mail).toLowerCase().includes(text(query).toLowerCase())).map(([id, mail]) => ({ id, subject: mail.subject ?? '' })),
  'email.read': (world, { id }) => world.mail.get(text(id)) ?? { error: 'no such message' },
  'email.send': (world, parameters) => {
    world.sent.push(parameters);
    return { sent: text(parameters.to) };
  },
  'database.query': (world, { query }) => {
    const name = /\bfrom\s+([a-z_]+)/i.exec(text(query))?.[1] ?? '';
    return tableOf(world, name).slice(0, 20);
  },
  'database.update': (world, parameters) => {
    const rows = tableOf(world, text(parameters.table));
    const count = limitOf(parameters, rows.length);
    const set = isJsonObject(parameters.set) ? parameters.set : {};
    rows.splice(0, count, ...rows.slice(0, count).map((row) => ({ ...row, ...set, id: row.id })));
    return { changed: count };
  },
  'database.delete': (world, parameters) => ({ deleted: tableOf(world, text(parameters.table)).splice(0, limitOf(parameters, Infinity)).length }),
  'database.drop': () => {
    throw new Error('Nothing should ever get here.');
  },
  'files.read': (world, { path }) => world.files.get(text(path)) ?? `no such file: ${text(path)}`,
  'files.list': (world) => [...world.files.keys()],
  'files.write': (world, { path, content }) => {
    world.files.set(text(path), text(content));
    return { written: text(content).length };
  },
  'files.delete': (world, { path }) => ({ deleted: [...world.files.keys()].filter((name) => name === path || name.startsWith(`${text(path)}/`)).filter((name) => world.files.delete(name)).length }),
  'files.share': (world, parameters) => {
    world.shared.push(parameters);
    return { shared: text(parameters.path) };
  },
  'calendar.list': (world) => world.events,
  'calendar.create': (world, parameters) => {
    world.events.push(parameters);
    return { id: `event-${String(world.events.length)}` };
  },
  'calendar.delete': (world, { id }) => {
    const kept = world.events.filter((event) => event['id'] !== id);
    const deleted = world.events.length - kept.length;
    world.events.splice(0, world.events.length, ...kept);
    return { deleted };
  },
  'calendar.invite': (world, parameters) => {
    world.events.push(parameters);
    return { invited: parameters.participants ?? [] };
  },
  'payments.list': (world) => world.transfers,
  'payments.transfer': (world, parameters) => {
    world.transfers.push(parameters);
    return { booked: parameters.amount ?? null };
  },
  'http.fetch': (_world, { url }) => `200 OK ${text(url)}\nTides at the north quay: 06:12 low, 12:31 high.`,
  'shell.exec': (world, { command }) => {
    world.commands.push(text(command));
    return 'ok';
  },
};

/** The tool of that name in this world. Throws for a name that the world does not have. */
export function worldTool(world: World, name: string): Tool {
  const operation = operations[name];
  if (!operation) throw new Error(`The demo's world has no ${name}.`);
  const dot = name.lastIndexOf('.');
  return {
    tool: name.slice(0, dot),
    operation: name.slice(dot + 1),
    // Its commands run nowhere but in these maps: no network and no file of this machine is in reach.
    honours: ['sandbox'],
    run: (parameters) => operation(world, parameters),
  };
}
