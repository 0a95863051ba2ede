import { refusedEditBody, refusedGrantBody } from '@/lib/contracts/plane/proposals';
import { errorCodes } from '@/lib/shared/error-codes';
import type { ProposalId } from '@/lib/shared/ids';
import { isJsonArray, isJsonObject } from '@/lib/shared/json';
import { fail, type Result } from '@/lib/shared/result';
import { parseStrictJson } from '@/lib/shared/strict-json';

import { actorOf, type Caller } from './caller';
import type { PlaneParts } from './plane-parts';
import type { AskedChange, ProposesChanges } from './proposals/propose-change';
import type { AskedGrant } from './proposals/propose-grant';
import type { ReceiptBodyOf } from './sign-receipt';

const kinds: ReadonlyMap<string, ReceiptBodyOf<'edit_refused'>['what']> = new Map([
  ['policy', 'policy'], ['grants', 'grants'], ['roster', 'roster'], ['trust-root', 'trust_root'], ['settings', 'settings'],
]);

/**
 * Refuses an attempt to edit what nobody edits directly; the receipt states the same policy digest before and after. What an agent wanted
 * the policy to be becomes a proposal, with its receipt in the same transaction, where it can be read at all.
 */
export function editRefuser(parts: PlaneParts, proposals: Pick<ProposesChanges, 'file' | 'fileGrant'>) {
  return async (caller: Caller, method: string, path: string, body: string | undefined): Promise<Result<never>> => {
    const before = (await parts.authority.current()).policy?.digest ?? null;
    const listsBefore = parts.allowlists?.() ?? [];
    const name = path.slice(path.lastIndexOf('/') + 1);
    const what = kinds.get(name) ?? 'other';
    const after = (await parts.authority.refresh()).policy?.digest ?? null;
    const receipt = (at: string, proposal?: ProposalId) =>
      parts.sign(
        'edit_refused',
        at,
        { what, code: 'refused_direct_edit', by: actorOf(caller), method, path, ...(proposal === undefined ? {} : { proposal }), policy_sha256: { before, after } },
        caller.kind === 'agent' ? { agent: caller.subject } : {},
      );
    const said = `${errorCodes.refused_direct_edit.title}. The policy's SHA-256 is ${before ?? 'none'} before and ${after ?? 'none'} after.${allowlistWords(listsBefore, parts.allowlists?.() ?? [])}`;
    const asked = what === 'policy' && caller.kind === 'agent' ? wantedPolicy(body) : undefined;
    const grant = what === 'grants' && caller.kind === 'agent' ? wantedGrant(body) : undefined;
    if (asked || grant) {
      const proposal = parts.ids.make('proposal');
      const besides = async (at: string) => [await receipt(at, proposal)];
      const filed = grant ? await proposals.fileGrant(caller, grant, proposal, besides) : asked ? await proposals.file(caller, asked, proposal, besides) : undefined;
      if (filed?.ok === true) return fail('refused_direct_edit', `${said} What you wanted is proposal ${proposal}.`, { fix: `Follow GET /v1/proposals/${proposal}.` });
    }
    await parts.commits.submit({ epoch: null, session: null, action: null, receipts: [await receipt(parts.clock.now())], events: [] });
    return fail('refused_direct_edit', said, { fix: 'Propose it with POST /v1/proposals.' });
  };
}

type Allowlists = ReturnType<NonNullable<PlaneParts['allowlists']>>;

/** The same of every attached allowlist. Both are read from the files, before and after. */
const allowlistWords = (before: Allowlists, after: Allowlists): string =>
  before.map(({ name, digest }) => ` That of allowlist ${name} is ${digest ?? 'not readable'} before and ${after.find((one) => one.name === name)?.digest ?? 'not readable'} after.`).join('');

/** Terms of a grant in whatever was sent: the object itself, or the only one of a list. */
function wantedGrant(body: string | undefined): AskedGrant | undefined {
  const json = parseStrictJson(body ?? '');
  if (!json.ok) return undefined;
  const { value } = json;
  const listed = isJsonObject(value) && 'grants' in value ? value['grants'] : value;
  const read = refusedGrantBody.safeParse(isJsonArray(listed) && listed.length === 1 ? listed[0] : listed);
  return read.success ? read.data : undefined;
}

/** A policy text in whatever was sent: a field of a JSON object, or the body itself. Whether it is a policy, proposing it finds out. */
function wantedPolicy(body: string | undefined): AskedChange | undefined {
  if (body === undefined || body.trim() === '') return undefined;
  const json = parseStrictJson(body);
  const read = json.ok ? refusedEditBody.safeParse(json.value) : undefined;
  if (read?.success === true) return { ...read.data, base: null };
  if (json.ok && isJsonObject(json.value) && 'rules' in json.value) return { text: body, format: 'json', base: null };
  return json.ok || body.includes('\0') ? undefined : { text: body, format: 'yaml', base: null };
}
