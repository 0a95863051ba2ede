import { askBrowser } from '@/lib/cli/ask-browser';
import type { Terminal } from '@/lib/cli/command';
import { lookAtAuthority, type OpenWorkspace } from '@/lib/cli/open-console';
import type { AppliedPolicy } from '@/lib/contracts/console/policies';
import type { Actor } from '@/lib/ledger/predicates/fields';
import type { SigningKey } from '@/lib/server/ed25519';
import { nodeSha256 } from '@/lib/server/node-sha256';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { preparePolicy } from '@/lib/services/console/prepare-policy';
import type { RequestedSignature } from '@/lib/services/console/signing-request';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import { fail, ok, type Result } from '@/lib/shared/result';

/**
 * Has owners sign in their browsers that a text becomes the next revision; the console applies it, and this command looks whether it came
 * into force. Failures: those of `preparePolicy` and `askBrowser`, and `policy_base_changed` when another revision came first.
 */
export async function applyInBrowser(
  terminal: Terminal,
  open: OpenWorkspace,
  parts: ConsoleParts,
  request: Omit<RequestedSignature, 'place'>,
  seconds: number,
): Promise<Result<Pick<AppliedPolicy, 'revision' | 'digest'>>> {
  const prepared = await preparePolicy(parts, { text: request.text, format: request.format });
  if (!prepared.ok) return prepared;
  const { revision, policy_revision: place } = prepared.value;
  const digest = digestOf(nodeSha256, utf8(request.text));
  const inForce = async () => (await lookAtAuthority(open)).policy;
  const overtaken = async (): Promise<Result<null>> => {
    const policy = await inForce();
    if (!policy || policy.revision < revision || policy.digest === digest) return ok(null);
    return fail('policy_base_changed', `Revision ${String(policy.revision)} came into force meanwhile, with another text.`, { fix: 'Look at it, and run the command again.' });
  };
  const signed = await askBrowser(terminal, open, { ...request, place: place.text }, seconds, overtaken);
  if (!signed.ok) return signed;
  const policy = await inForce();
  return policy?.revision === revision && policy.digest === digest ? ok({ revision, digest }) : fail('policy_base_changed', 'It was signed, but another text is in force.', { fix: '"countersign trust show" says which.' });
}

/** The owner whose key came first. A stranger's key is refused later, by what checks the signatures. */
export async function keyOwner(parts: ConsoleParts, keys: readonly SigningKey[]): Promise<Actor> {
  const { root } = await parts.inForce.current();
  const owner = root?.root.owners.find(({ key }) => key.id === keys[0]?.id);
  return owner ? { kind: 'person', id: owner.person } : { kind: 'service', id: 'cli' };
}
