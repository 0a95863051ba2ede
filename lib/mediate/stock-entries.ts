import type { CatalogueEntry, Effect, Impact, LabelRule, ParameterSpec } from './catalogue';
import { usualImpact } from './effect-of';

type Parameters = Readonly<Record<string, ParameterSpec>>;
type Row = readonly [name: string, effect: Effect, parameters: Parameters, impact?: Impact, labels?: readonly LabelRule[]];

const text: ParameterSpec = { type: 'string' };
const secretText: ParameterSpec = { type: 'string', sensitive: true };
const whole: ParameterSpec = { type: 'integer' };
const flag: ParameterSpec = { type: 'boolean' };
const texts: ParameterSpec = { type: 'array', items: 'string', scalar_or_array: true };
const people: ParameterSpec = { type: 'array', items: 'string', scalar_or_array: true, role: 'recipients' };
const target: ParameterSpec = { type: 'string', role: 'target' };
const path: ParameterSpec = { type: 'string', role: 'path' };
const paths: ParameterSpec = { type: 'array', items: 'string', scalar_or_array: true, role: 'path' };
const url: ParameterSpec = { type: 'string', role: 'url' };
const open: ParameterSpec = { type: 'any' };
const optional = (spec: ParameterSpec): ParameterSpec => ({ ...spec, optional: true });

const event = { title: text, start: text, end: text };
const eventMore = { participants: optional(people), location: optional(text), description: optional(text) };

const rows: readonly Row[] = [
  ['email.send', 'communicate', { to: people, cc: optional(people), bcc: optional(people), subject: optional(text), body: text, attachments: optional({ type: 'array' }) }],
  ['email.read', 'read', { id: target }],
  ['email.search', 'read', { query: text, folder: optional(text), limit: optional(whole) }],
  ['email.delete', 'destructive', { id: target }],
  ['database.query', 'read', { query: { type: 'string', role: 'query' } }],
  ['database.update', 'write', { table: target, set: { type: 'object' }, where: open, limit: optional(whole) }],
  ['database.delete', 'destructive', { table: target, where: optional(open), limit: optional(whole) }],
  ['database.drop', 'destructive', { database: optional(target), table: optional(target) }],
  ['files.read', 'read', { path }],
  ['files.list', 'read', { path: optional(path), recursive: optional(flag) }],
  ['files.write', 'write', { path, content: text, append: optional(flag) }],
  ['files.delete', 'destructive', { path, recursive: optional(flag) }],
  ['files.share', 'grant', { path, with: people, permission: optional(text) }],
  ['shell.exec', 'execute', { command: { type: 'string', role: 'command' }, cwd: optional(path) }],
  ['http.fetch', 'communicate', { url, method: text, headers: optional({ type: 'object', sensitive: true }), body: optional(open) }],
  ['payments.transfer', 'spend', { to: { type: 'string', role: 'recipients' }, amount: { type: 'number', role: 'amount' }, currency: text, reference: optional(text) }],
  ['payments.list', 'read', { from: optional(text), until: optional(text), limit: optional(whole) }],
  ['calendar.list', 'read', { from: optional(text), until: optional(text), query: optional(text) }],
  ['calendar.read', 'read', { id: target }],
  ['calendar.create', 'write', { ...event, ...eventMore }],
  ['calendar.update', 'write', { id: target, title: optional(text), start: optional(text), end: optional(text), ...eventMore }],
  ['calendar.invite', 'communicate', { id: target, participants: people }],
  ['calendar.delete', 'destructive', { id: target }],
  ['git.status', 'read', { repository: optional(path) }],
  ['git.log', 'read', { repository: optional(path), limit: optional(whole) }],
  ['git.diff', 'read', { repository: optional(path), from: optional(text), until: optional(text) }],
  ['git.commit', 'write', { repository: optional(path), message: text, paths: optional(paths) }],
  ['git.checkout', 'write', { repository: optional(path), reference: target }],
  ['git.clone', 'communicate', { url, path: optional(path) }],
  ['git.pull', 'communicate', { repository: optional(path), remote: optional(text), branch: optional(text) }],
  ['git.push', 'communicate', { repository: optional(path), remote: optional(text), branch: optional(target), force: optional(flag) }],
  ['git.reset', 'destructive', { repository: optional(path), reference: optional(target), hard: optional(flag) }],
  ['tickets.read', 'read', { id: target }],
  ['tickets.search', 'read', { query: text, limit: optional(whole) }],
  ['tickets.create', 'write', { title: text, body: optional(text), project: optional(target), labels: optional(texts) }],
  ['tickets.comment', 'communicate', { id: target, body: text }],
  ['tickets.update', 'write', { id: target, title: optional(text), body: optional(text), state: optional(text), labels: optional(texts) }],
  ['tickets.close', 'write', { id: target, comment: optional(text) }],
  ['browser.open', 'communicate', { url }],
  ['browser.read', 'read', { selector: optional(text) }],
  ['browser.click', 'execute', { selector: target }],
  ['browser.type', 'communicate', { selector: target, text: secretText, submit: optional(flag) }],
  ['browser.download', 'communicate', { url, path }],
];

/** stock@1: closed schemas, effects, impacts and roles; never a decision, which is the policy's to take. */
export const stockEntries: readonly CatalogueEntry[] = rows.map(([name, effect, parameters, impact, labels]) => {
  const dot = name.indexOf('.');
  return {
    tool: name.slice(0, dot), operation: name.slice(dot + 1), effect, impact: impact ?? usualImpact[effect],
    grant: false, trusted: false, parameters, labels: labels ?? [],
  };
});

export const stockAliases: ReadonlyMap<string, string> = new Map([
  ['mail', 'email'], ['db', 'database'], ['file', 'files'], ['pay', 'payments'],
]);
