import type pg from 'pg';

import type { AgentRow, CredentialStore } from '@/lib/ports/credential-store';
import type { Tx } from '@/lib/ports/transaction';

import { agentColumns, credentialColumns, credentialValues, readAgentRow, readCredentialRow, tokenHash } from './credential-row';
import { idempotencyKeys } from './idempotency-keys';
import { insertRows } from './insert-rows';
import { readingIn, transactionOf } from './open-transaction';
import { prismaOf } from './prisma';
import { columnList, insertStatement, rows, statement, touched } from './statements';

const insertCredentials = insertStatement('credentials', credentialColumns);
const select = `SELECT ${columnList(credentialColumns)} FROM "credentials" WHERE "workspace_id" = $1`;
const findByToken = statement('find_credential_by_token', `${select} AND "token_hash" = $2`);
const findCredentials = statement('find_credentials', `${select} AND "id" = ANY($2::text[])`);
const revokeCredential = statement(
  'revoke_credential',
  `UPDATE "credentials" SET "revoked_at" = $3 WHERE "workspace_id" = $1 AND "id" = $2 AND "revoked_at" IS NULL`,
);

const insertAgents = insertStatement('agents', agentColumns);
const findAgents = statement(
  'find_agents',
  `SELECT ${columnList(agentColumns)} FROM "agents" WHERE "workspace_id" = $1 AND ($2::text[] IS NULL OR "id" = ANY($2)) ORDER BY "id"`,
);
const suspendAgent = statement('suspend_agent', `UPDATE "agents" SET "suspended_at" = $3 WHERE "workspace_id" = $1 AND "id" = $2`);

export function postgresCredentialStore(pool: pg.Pool, workspace: string): CredentialStore {
  const on = (tx?: Tx) => (tx ? readingIn(tx).client : pool);
  return {
    add: async (tx, credential) => {
      await insertRows(transactionOf(tx).client, insertCredentials, workspace, [credentialValues(credential)]);
    },
    findByToken: async (digest) => (await rows(pool, findByToken, [workspace, tokenHash(digest)])).map(readCredentialRow)[0],
    find: async (ids, tx) => {
      if (ids.length === 0) return new Map();
      const found = await rows(on(tx), findCredentials, [workspace, ids]);
      return new Map(found.map(readCredentialRow).map((credential) => [credential.id, credential]));
    },
    revoke: async (tx, id, at) => (await touched(transactionOf(tx).client, revokeCredential, [workspace, id, at])) === 1,
    list: async () => {
      const prisma = await prismaOf(pool);
      const found = await prisma.credential.findMany({ where: { workspaceId: workspace }, orderBy: [{ createdAt: 'desc' }, { id: 'asc' }] });
      return found.map(({ tokenHash: token_hash, createdBy: created_by, createdAt: created_at, expiresAt: expires_at, revokedAt, ...same }) =>
        readCredentialRow({ ...same, token_hash, created_by, created_at, expires_at, revoked_at: revokedAt }),
      );
    },
    addAgent: async (tx, agent) => {
      await insertRows(transactionOf(tx).client, insertAgents, workspace, [agent]);
    },
    agents: async (ids, tx) => byId((await rows(on(tx), findAgents, [workspace, ids ?? null])).map(readAgentRow)),
    suspendAgent: async (tx, id, at) => (await touched(transactionOf(tx).client, suspendAgent, [workspace, id, at])) === 1,
    ...idempotencyKeys(pool, workspace),
  };
}

const byId = (agents: readonly AgentRow[]): ReadonlyMap<string, AgentRow> => new Map(agents.map((agent) => [agent.id, agent]));
