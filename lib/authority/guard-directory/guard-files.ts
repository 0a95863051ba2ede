import type { Digest } from '@/lib/shared/ids';

/** Where everything stands below a state directory. */
export const guardFolders = { managed: 'managed', inbox: 'inbox' } as const;

/** Modes after creation, whatever umask and setgid would make of them. 0733: agents drop files that they know the name of, and cannot list. */
export const guardModes = { state: 0o755, managed: 0o755, inbox: 0o733, managed_file: 0o444, proposal_file: 0o644 } as const;

export const allowlistFile = 'allowlist.json';
/** The name that a program which knows one proposal looks for. */
export const firstProposalFile = 'proposal.json';
/** The proposal that was applied last, under the name that such a program gives it. */
export const appliedProposalFile = 'applied-proposal.json';

export const guardBounds = { proposalBytes: 64 * 1024, allowlistBytes: 1024 * 1024, inboxEntries: 10_000, permissionLength: 200, reasonLength: 4096 } as const;

/** `random`: 128 bits in lower-case hex. */
export const furtherProposalFile = (random: string): string => `proposal-${random}.json`;

export const isProposalFile = (name: string): boolean => /^proposal(?:-[0-9a-f]{32})?\.json$/.test(name);

/** The exact bytes of a proposal that was applied or rejected, and what became of it. One of each a proposal, for ever. */
export const keptProposalFile = (id: Digest): string => `proposal-${id}.json`;
export const guardReceiptFile = (id: Digest): string => `receipt-${id}.json`;
/** The exact bytes of an allowlist that was in force. Its digest in the name: two may have one revision, where an owner edited by hand. */
export const pastAllowlistFile = ({ revision, digest }: { readonly revision: number; readonly digest: Digest }): string =>
  `allowlist-${String(revision).padStart(6, '0')}-${digest}.json`;
