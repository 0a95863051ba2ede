import fc from 'fast-check';
import { expect, test } from 'vitest';

import type { ActionRow } from '@/lib/ports/action-store';
import type { ApprovalRow } from '@/lib/ports/approval-store';
import { slackText } from '@/lib/server/notices/slack-notifier';
import { webhookBody } from '@/lib/server/notices/webhook-notifier';
import { impacts } from '@/lib/shared/impact';
import { heldDeletion } from '@/lib/testing/held-actions';
import { anAction, anApproval, aDigest } from '@/lib/testing/row-builders';

import { noticeText } from './notice-text';

const said = async (approval: ApprovalRow, action: ActionRow): Promise<string> => {
  const parts = { consoleUrl: 'https://c.example', approvals: { find: () => Promise.resolve(approval) }, actions: { find: () => Promise.resolve(new Map([[action.id, action]])) } };
  const text = await noticeText(parts, { channel: 'webhook', recipient: null, id: 'held_1', kind: 'held', approval: approval.id, count: 1, made_at: approval.created_at });
  return JSON.stringify([text, webhookBody(text), slackText(text)]);
};

/** Two requests that differ in everything an agent or its session brings along, and in nothing that may be told, make the same messages, byte for byte. */
test('no argument, reason or other word of a held action gets into a message', async () => {
  const words = fc.string({ unit: 'grapheme' });
  const brought = fc.record({ parameters: fc.dictionary(words, fc.jsonValue()), reason: words, human: words, operation: words, request: words, body: words });
  const [approval, action] = [anApproval(), anAction()];
  await fc.assert(
    fc.asyncProperty(brought, brought, fc.constantFrom(...impacts), async (one, other, impact) => {
      const [first, second] = await Promise.all([one, other].map(({ parameters, reason, human, operation, request, body }) => {
        const held = heldDeletion({ action: { tool: 'database', operation, parameters: JSON.parse(JSON.stringify(parameters)) }, agent_reason: reason, requests: [{ at: approval.created_at, text: request, assurance: 'orchestrator' }] });
        return said({ ...approval, action: action.id, impact, held: JSON.stringify(held), basis: body, resolution: reason, basis_digest: aDigest(body) }, { ...action, operation, reason, human, body, guidance: reason, reason_shown: reason });
      }));
      expect(first).toBe(second);
    }),
  );
});
