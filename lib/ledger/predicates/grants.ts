import { z } from 'zod';

import { actionReference, actor, common, digest, envelope, id, instant, json, keyId, name, sentence } from './fields';

/** Executions that one grant allows at most. */
export const mostGrantUses = 10_000;

/**
 * Owners give an agent a tool for a while. `envelope` is the DSSE over the grant that they signed (lib/authority/owner-statements.ts),
 * `digest` the SHA-256 of its payload; the other fields repeat it.
 */
export const grantIssued = z.strictObject({
  ...common,
  grant: id('grant'),
  digest,
  agent: name,
  tool: name,
  /** Null: all of the tool's operations. */
  operation: name.nullable(),
  /** What the arguments must keep to, as the grants' own language has it; null when they need not. */
  scope: json,
  uses: z.int().min(1).max(mostGrantUses),
  expires_at: instant,
  reason: sentence.exactOptional(),
  replaces: id('grant').exactOptional(),
  proposal: id('proposal').exactOptional(),
  signers: z.array(keyId).min(1).max(100),
  envelope,
  by: actor,
});

/** A permit was redeemed that rests on the grant: one execution fewer is left. */
export const grantConsumed = z.strictObject({
  ...common,
  grant: id('grant'),
  session: id('session'),
  agent: name,
  tool: name,
  operation: name,
  action: actionReference,
  permit: id('permit'),
  /** Which execution it is, from 1. */
  use: z.int().min(1).max(mostGrantUses),
});

export const grantRevoked = z.strictObject({
  ...common,
  grant: id('grant'),
  cause: z.enum(['revoked', 'replaced', 'agent_suspended']),
  reason: sentence.exactOptional(),
  by: actor,
});
