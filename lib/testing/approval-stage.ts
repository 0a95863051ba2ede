import { parseHeldAction } from '@/lib/approvals/parse-held-action';
import type { HeldAction } from '@/lib/approvals/held-action';
import type { Viewer } from '@/lib/contracts/console/viewer';
import type { SigningKey } from '@/lib/server/ed25519';
import { approveRequest } from '@/lib/services/console/approve-request';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { preparePolicy } from '@/lib/services/console/prepare-policy';
import { applySignedRevision } from '@/lib/services/proposals/apply-signed-revision';
import { isId, type ActionId, type ApprovalId, type PersonId } from '@/lib/shared/ids';
import { changeRoster, enrolled, signedVote, signText, testConsole, valueOf, viewerById } from '@/lib/testing/console-fixture';
import { startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';

export type Held = { readonly action: ActionId; readonly approval: ApprovalId };
export type Voter = 'approver' | 'second' | 'requester' | 'admin';

export type ApprovalStage = {
  readonly plane: TestPlane;
  readonly parts: ConsoleParts;
  readonly owner: { readonly person: PersonId; readonly key: SigningKey };
  readonly keys: Readonly<Record<Voter, SigningKey>>;
  readonly id: (who: string) => PersonId;
  readonly viewer: (who: string) => Promise<Viewer>;
  readonly hold: (tool?: string, operation?: string, parameters?: object) => Promise<Held>;
  readonly payment: () => Promise<Held>;
  readonly heldOf: (approval: ApprovalId) => Promise<HeldAction>;
  /** The owner brings another policy into force. */
  readonly changePolicy: (text: string) => Promise<void>;
  readonly cast: (who: Voter, approval: ApprovalId, envelope?: string) => ReturnType<typeof approveRequest>;
  readonly stop: () => Promise<void>;
};

/** A plane and a console on one database, with people who have enrolled keys. */
export async function startApprovalStage(policy = planePolicy, more: Parameters<typeof startTestPlane>[1] = {}): Promise<ApprovalStage> {
  const plane = await startTestPlane(policy, more);
  const { parts, close } = await testConsole(plane);
  const id = plane.personOf;
  const owner = { person: id('owner'), key: plane.owner };
  const keys = {
    approver: await enrolled(parts, owner, id('approver')),
    second: await enrolled(parts, owner, id('second')),
    requester: await enrolled(parts, owner, id('requester')),
    admin: await enrolled(parts, owner, id('admin')),
  };
  // The requester and the agents' registrar are in the group, so that only separation of duties stands in their way.
  await changeRoster(parts, owner, { kind: 'set_person', person: id('requester'), roles: ['requester', 'approver'], groups: ['approver'] });
  await changeRoster(parts, owner, { kind: 'set_person', person: id('admin'), roles: ['admin', 'approver'], groups: ['approver'] });
  const viewer = (who: string) => viewerById(parts, id(who));
  const hold: ApprovalStage['hold'] = async (tool = 'files', operation = 'write', parameters = { path: '/srv/report.txt', content: 'text' }) => {
    const session = await plane.openSession('Please write the report.');
    const { body } = await plane.call(plane.token('helper'), 'POST', '/v1/actions', { session, tool, operation, parameters });
    if (body.state !== 'held' || !isId('action', body.id) || !isId('approval', body.approval.id)) throw new Error(`Not held: ${JSON.stringify(body)}`);
    return { action: body.id, approval: body.approval.id };
  };
  const heldOf = async (approval: ApprovalId) => valueOf(parseHeldAction(JSON.parse((await parts.approvals.find(approval))?.held ?? '')));
  const changePolicy: ApprovalStage['changePolicy'] = async (text) => {
    const prepared = valueOf(await preparePolicy(parts, { text, format: 'yaml' }));
    const signatures = { signature: await signText(prepared.policy, owner.key), statement: await signText(prepared.policy_revision, owner.key) };
    valueOf(await applySignedRevision(parts, { kind: 'person', id: owner.person }, { text, format: 'yaml', origin: 'console', ...signatures }));
  };
  return {
    changePolicy, plane, parts, owner, keys, id, viewer, hold, heldOf,
    payment: () => hold('payments', 'transfer', { to: 'Varga', amount: 100, currency: 'EUR' }),
    cast: async (who, approval, envelope) =>
      approveRequest(parts, await viewer(who), { approval, envelope: envelope ?? (await signedVote(await heldOf(approval), id(who), keys[who])) }),
    stop: async () => {
      await close();
      await plane.stop();
    },
  };
}
