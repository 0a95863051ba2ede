import { actionView, outcomeView, redeemView, type ActionView, type OutcomeBody, type OutcomeView, type RedeemView } from '@/lib/contracts/plane/actions';
import { proposalView, type ProposalView, type ProposeChangeBody, type ProposeGrantBody } from '@/lib/contracts/plane/proposals';
import { contextView, sessionView, type ContextView, type SessionView } from '@/lib/contracts/plane/sessions';
import type { Json, JsonObject } from '@/lib/shared/json';

import type { Answered } from './refusal';
import { sendCall, type Call, type Fetch } from './send-call';

export type PlaneClientOptions = {
  /** Where the decision plane listens, such as http://127.0.0.1:3181. */
  readonly url: string;
  /** One credential, of one kind; what it may not do is refused by the plane. */
  readonly token: string;
  /** For one call, its whole answer included; a long poll has its own seconds on top. 10,000 when left out. */
  readonly timeoutMs?: number;
  readonly fetch?: Fetch;
};

export type Proposal = {
  readonly session: string;
  readonly tool: string;
  readonly operation: string;
  readonly parameters: JsonObject;
  readonly depends_on?: readonly string[];
  /** The agent's own words: people see them as untrusted text, policy never reads them. */
  readonly reason?: string;
};

export type CallOptions = { readonly signal?: AbortSignal; readonly idempotencyKey?: string };

export type Attribute = { readonly subject: string; readonly name: string; readonly value: Json; readonly observed_at?: string };

/** The plane's HTTP API with one credential. Every method answers with a value that fits the contract, or with a refusal; none throws. */
export type PlaneClient = {
  readonly propose: (proposal: Proposal, options?: CallOptions) => Answered<ActionView>;
  readonly readAction: (action: string, options?: CallOptions) => Answered<ActionView>;
  /** Answers at the action's first change, or after so many seconds (60 at most) with the action as it is. */
  readonly waitForAction: (action: string, seconds: number, options?: CallOptions) => Answered<ActionView>;
  readonly withdrawAction: (action: string) => Answered<ActionView>;
  readonly redeemPermit: (permit: string) => Answered<RedeemView>;
  readonly reportOutcome: (action: string, outcome: OutcomeBody) => Answered<OutcomeView>;
  readonly openSession: (body: { readonly human: string; readonly request: string; readonly agent: string }, options?: CallOptions) => Answered<SessionView>;
  readonly recordMessage: (session: string, text: string) => Answered<SessionView>;
  readonly supplyContext: (session: string, attributes: readonly Attribute[]) => Answered<ContextView>;
  readonly closeSession: (session: string) => Answered<SessionView>;
  /** Asks the owners for another policy. Nothing changes by it; `readProposal` says what became of it, and why it was rejected. */
  readonly proposeChange: (change: ProposeChangeBody) => Answered<ProposalView>;
  /** Asks the owners for a grant for the agent whose token this is. */
  readonly proposeGrant: (terms: Omit<ProposeGrantBody, 'target'>) => Answered<ProposalView>;
  readonly readProposal: (proposal: string) => Answered<ProposalView>;
};

export function createPlaneClient({ url, token, timeoutMs = 10_000, fetch = globalThis.fetch }: PlaneClientOptions): PlaneClient {
  const base = url.replace(/\/+$/, '');
  const call = <T>(method: Call<T>['method'], path: string, answer: Call<T>['answer'], more: { body?: unknown; waitMs?: number } & CallOptions = {}): Answered<T> =>
    sendCall(fetch, {
      method,
      url: base + path,
      token,
      answer,
      timeoutMs: timeoutMs + (more.waitMs ?? 0),
      ...(more.body === undefined ? {} : { body: more.body }),
      ...(more.signal ? { signal: more.signal } : {}),
      ...(more.idempotencyKey === undefined ? {} : { headers: { 'idempotency-key': more.idempotencyKey } }),
    });
  const at = (id: string): string => encodeURIComponent(id);
  return {
    propose: (body, options) => call('POST', '/v1/actions', actionView, { body, ...options }),
    readAction: (id, options) => call('GET', `/v1/actions/${at(id)}`, actionView, options),
    waitForAction: (id, seconds, options) => call('GET', `/v1/actions/${at(id)}?wait=${String(seconds)}`, actionView, { waitMs: seconds * 1000, ...options }),
    withdrawAction: (id) => call('DELETE', `/v1/actions/${at(id)}`, actionView),
    redeemPermit: (id) => call('POST', `/v1/permits/${at(id)}/redeem`, redeemView),
    reportOutcome: (id, body) => call('POST', `/v1/actions/${at(id)}/outcome`, outcomeView, { body }),
    openSession: (body, options) => call('POST', '/v1/sessions', sessionView, { body, ...options }),
    recordMessage: (id, text) => call('POST', `/v1/sessions/${at(id)}/messages`, sessionView, { body: { text } }),
    supplyContext: (id, attributes) => call('POST', `/v1/sessions/${at(id)}/context`, contextView, { body: { attributes } }),
    closeSession: (id) => call('DELETE', `/v1/sessions/${at(id)}`, sessionView),
    proposeChange: (body) => call('POST', '/v1/proposals', proposalView, { body }),
    proposeGrant: (terms) => call('POST', '/v1/proposals', proposalView, { body: { ...terms, target: 'grant' } }),
    readProposal: (id) => call('GET', `/v1/proposals/${at(id)}`, proposalView),
  };
}
