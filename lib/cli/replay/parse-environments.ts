import { z } from 'zod';

import { emailSchema } from '@/lib/contracts/plane/common';
import { bounds } from '@/lib/shared/bounds';
import { ok, type Result } from '@/lib/shared/result';

import type { KnownWorld } from './known-world';
import { readJsonLines } from './read-json-lines';

const text = z.string().min(1).max(bounds.nameLength);
const folded = text.transform((value) => value.trim().toLowerCase());
const list = <T extends z.ZodType>(item: T) => z.array(item).max(10_000);

/** Only what is read is checked: an environment holds much that no deployment would know before a task, and it may hold more. */
const environment = z.object({
  suite: text,
  user_email: emailSchema.optional(),
  user_domain: folded.optional(),
  user_iban: folded.optional(),
  contacts: list(z.object({ email: folded })).optional(),
  known_counterparties: list(folded).optional(),
  files: list(z.union([text, z.object({ id_: text, owner: folded })])).optional(),
});

/** Known facts by suite, from JSON Lines. The last row of a suite counts. Failures as of `readJsonLines`. */
export function parseEnvironments(source: string): Result<ReadonlyMap<string, KnownWorld>> {
  const rows = readJsonLines(source, environment);
  return rows.ok ? ok(new Map(rows.value.map((row) => [row.suite, knownWorld(row)]))) : rows;
}

function knownWorld(row: z.output<typeof environment>): KnownWorld {
  const owned = (row.files ?? []).flatMap((file) => (typeof file === 'string' ? [] : [[file.id_, file.owner] as const]));
  return {
    human: row.user_email ?? null,
    own: new Set([row.user_email, row.user_iban].filter((own) => own !== undefined)),
    domain: row.user_domain ?? null,
    contacts: new Set((row.contacts ?? []).map(({ email }) => email)),
    payees: new Set(row.known_counterparties),
    fileOwners: new Map(owned),
  };
}
