import type { SignedGrant } from '@/lib/authority/verify-grant';
import type { GrantRow } from '@/lib/ports/grant-store';
import type { PersonId } from '@/lib/shared/ids';

export const grantRow = ({ terms }: SignedGrant, envelope: string, by: PersonId, now: string, issued: boolean): GrantRow => ({
  id: terms.grant, agent: terms.agent, tool: terms.tool, operation: terms.operation, uses: terms.uses, used: 0, expires_at: terms.expires_at, envelope,
  created_by: by, created_at: now, issued_at: issued ? now : null, ended_at: null,
});
