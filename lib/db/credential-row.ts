import { credentialKinds, type AgentRow, type CredentialRow } from '@/lib/ports/credential-store';
import { fromHex, toHex } from '@/lib/shared/encoding';
import type { CredentialId } from '@/lib/shared/ids';

import { bytes, oneOf, orNull, text, texts, time, type Row } from './columns';
import type { Columns, Values } from './statements';

export const credentialColumns = {
  id: 'text', kind: 'text', subject: 'text', token_hash: 'bytea', scopes: 'text[]', created_by: 'text', created_at: 'timestamptz',
  expires_at: 'timestamptz', revoked_at: 'timestamptz',
} as const satisfies Columns;

export const agentColumns = {
  id: 'text', role: 'text', scope: 'text[]', registered_by: 'text', suspended_at: 'timestamptz', created_at: 'timestamptz',
} as const satisfies Columns;

/** A token's digest as the column keeps it. Throws on what is no hex SHA-256: looking it up would find nobody, silently. */
export function tokenHash(digest: string): Uint8Array {
  const hash = fromHex(digest);
  if (hash?.length !== 32) throw new Error('A token digest is 64 lower-case hex characters.');
  return hash;
}

export const credentialValues = ({ token_digest, ...same }: CredentialRow): Values<keyof typeof credentialColumns> => ({
  ...same,
  token_hash: tokenHash(token_digest),
});

export const readCredentialRow = (row: Row): CredentialRow => ({
  id: text(row['id']) as CredentialId,
  kind: oneOf(credentialKinds)(row['kind']),
  subject: text(row['subject']),
  token_digest: toHex(bytes(row['token_hash'])),
  scopes: texts(row['scopes']),
  created_by: text(row['created_by']),
  created_at: time(row['created_at']),
  expires_at: time(row['expires_at']),
  revoked_at: orNull(time)(row['revoked_at']),
});

export const readAgentRow = (row: Row): AgentRow => ({
  id: text(row['id']),
  role: text(row['role']),
  scope: texts(row['scope']),
  registered_by: text(row['registered_by']),
  suspended_at: orNull(time)(row['suspended_at']),
  created_at: time(row['created_at']),
});
