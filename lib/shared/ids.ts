declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

export type WorkspaceId = Branded<'workspace'>;
export type SessionId = Branded<'session'>;
export type ActionId = Branded<'action'>;
export type PermitId = Branded<'permit'>;
export type ApprovalId = Branded<'approval'>;
export type DeferralId = Branded<'deferral'>;
export type ReceiptId = Branded<'receipt'>;
export type CredentialId = Branded<'credential'>;
export type PersonId = Branded<'person'>;
export type ViewId = Branded<'view'>;
export type ProposalId = Branded<'proposal'>;
export type GrantId = Branded<'grant'>;
export type StandingId = Branded<'standing'>;
export type AgentId = Branded<'agent'>;
export type KeyId = Branded<'key'>;
/** SHA-256 in lower-case hex, 64 characters. */
export type Digest = Branded<'digest'>;

/** The prefix says what an id names, so that a permit cannot be pasted where an action is meant. */
export const idPrefixes = {
  workspace: 'ws',
  session: 'ses',
  action: 'act',
  permit: 'pmt',
  approval: 'apr',
  deferral: 'dfr',
  receipt: 'rcp',
  credential: 'crd',
  person: 'per',
  view: 'viw',
  proposal: 'prp',
  grant: 'grt',
  standing: 'std',
} as const;

export type IdKind = keyof typeof idPrefixes;
export type IdOf<Kind extends IdKind> = Branded<Kind>;

const suffix = /^[0-9a-z]{20,32}$/;

/** True for `<prefix>_<20 to 32 lower-case letters or digits>`. */
export function isId<Kind extends IdKind>(kind: Kind, text: string): text is IdOf<Kind> {
  const prefix = `${idPrefixes[kind]}_`;
  return text.startsWith(prefix) && suffix.test(text.slice(prefix.length));
}

export const isDigest = (text: string): text is Digest => /^[0-9a-f]{64}$/.test(text);

/** Names given by people (agents, credentials' subjects): letters, digits, `.`, `_`, `-`, at most 64. */
export const isName = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text);

export const agentId = (text: string): AgentId => text as AgentId;
export const keyId = (text: string): KeyId => text as KeyId;
