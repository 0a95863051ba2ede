import { readFile } from 'node:fs/promises';
import path from 'node:path';

import type { APIRequestContext } from '@playwright/test';

import { repository } from './product';

/** A server action as the built console exports it: anybody may post to it, whatever page shows it. */
export type ExportedAction = { readonly id: string; readonly name: string; readonly file: string; readonly page: string };

type Manifest = { readonly node: Readonly<Record<string, { readonly workers: Readonly<Record<string, unknown>>; readonly filename: string; readonly exportedName: string }>> };

export async function exportedActions(): Promise<readonly ExportedAction[]> {
  const manifest = JSON.parse(await readFile(path.join(repository, '.next/server/server-reference-manifest.json'), 'utf8')) as Manifest;
  return Object.entries(manifest.node).map(([id, { workers, filename, exportedName }]) => {
    const [worker = ''] = Object.keys(workers);
    return { id, name: exportedName, file: filename, page: worker.replace(/^app/, '').replace(/\/page$/, '').replace(/\/\([^)]*\)/g, '') || '/' };
  });
}

export type ActionAnswer = { readonly status: number; readonly text: string; /** Undefined when it was let through. */ readonly refusal: string | undefined };

/** Posts to an action as a browser would; cookies and headers are those of `request`. */
export async function postAction(request: APIRequestContext, console: string, action: ExportedAction, input: unknown): Promise<ActionAnswer> {
  const response = await request.post(console + action.page, {
    headers: { 'next-action': action.id, accept: 'text/x-component', 'content-type': 'text/plain;charset=UTF-8', origin: console },
    data: JSON.stringify([input]),
    maxRedirects: 0,
  });
  const text = await response.text();
  return { status: response.status(), text, refusal: /"ok":false,"error":\{"code":"(\w+)"/.exec(text)?.[1] };
}

/**
 * What an action answered, out of the rows that React serialises it into: `1:{…}` is the answer, and a long text in it is a row of its
 * own, `2:T<length in hex>,<text>`, which the answer names as "$2". Throws when it was refused.
 */
export function valueOf({ text }: ActionAnswer): unknown {
  const bytes = Buffer.from(text, 'utf8');
  const texts = new Map<string, string>();
  let answer: string | undefined;
  for (let at = 0; at < bytes.length; ) {
    const long = /^([0-9a-f]+):T([0-9a-f]+),/.exec(bytes.toString('latin1', at, at + 40));
    if (long) {
      const [head, id = '', length = ''] = long;
      const from = at + head.length;
      at = from + parseInt(length, 16);
      texts.set(`$${id}`, bytes.toString('utf8', from, at));
      continue;
    }
    const end = bytes.indexOf(10, at);
    const row = bytes.toString('utf8', at, end < 0 ? bytes.length : end);
    if (row.startsWith('1:')) answer = row.slice(2);
    at = end < 0 ? bytes.length : end + 1;
  }
  const result = JSON.parse(answer ?? 'null', (_key, value: unknown) => (typeof value === 'string' ? (texts.get(value) ?? value) : value)) as { ok?: boolean; value?: unknown } | null;
  if (result?.ok !== true) throw new Error(`The action was refused: ${text}`);
  return result.value;
}
