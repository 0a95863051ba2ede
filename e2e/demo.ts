import { readFile } from 'node:fs/promises';
import path from 'node:path';

import type { ActionView } from '@/lib/contracts/plane/actions';

import { callPlane, type PlaneAnswer } from './call-plane';
import type { Product } from './product';

export type RoleName = 'owner' | 'admin' | 'approver' | 'second approver' | 'auditor' | 'requester';
export type AgentName = 'harbor-assistant' | 'harbor-bookkeeper' | 'harbor-ops';
export type CredentialKind = 'agent' | 'orchestrator' | 'enforcement_point' | 'information_point';

type Person = { readonly role: string; readonly email: string; readonly password: string; readonly key?: string };
type Credential = { readonly id: string; readonly token: string };

/** `demo.json`, as a program reads it. */
type DemoFile = {
  readonly console: string;
  readonly plane: string;
  readonly people: readonly Person[];
  readonly agents: readonly Credential[];
  readonly orchestrators: readonly Credential[];
  readonly enforcement_points: readonly Credential[];
  readonly information_points: readonly Credential[];
  readonly root_fingerprint: string;
};

type Attribute = { readonly subject: string; readonly name: string; readonly value: string };
export type SessionWanted = { readonly request: string; readonly agent?: AgentName; readonly known?: readonly Attribute[] };
export type Proposal = { readonly tool: string; readonly operation: string; readonly parameters: object; readonly reason?: string };

/** A running demo and its credentials, as `demo.json` gives them to programs. */
export type Demo = Product & {
  readonly rootFingerprint: string;
  readonly ownerKey: string;
  readonly person: (role: RoleName) => Person;
  readonly token: (kind: CredentialKind, id?: string) => string;
  readonly call: (token: string | null, method: string, path: string, body?: object) => Promise<PlaneAnswer>;
  /** Opens a session for the demo's requester, and gives its id. */
  readonly openSession: (wanted: SessionWanted) => Promise<string>;
  /** Proposes and gives the plane's answer; throws unless that is 200. */
  readonly propose: (agent: AgentName, session: string, proposal: Proposal) => Promise<ActionView>;
  readonly readAction: (agent: AgentName, action: string) => Promise<ActionView>;
};

export async function readDemo(product: Product): Promise<Demo> {
  const file = JSON.parse(await readFile(path.join(product.stateDirectory, 'demo.json'), 'utf8')) as DemoFile;
  const credentials = { agent: file.agents, orchestrator: file.orchestrators, enforcement_point: file.enforcement_points, information_point: file.information_points };
  const token = (kind: CredentialKind, id?: string): string => present(credentials[kind].find((one) => id === undefined || one.id === id), `${kind} ${id ?? ''}`).token;
  const person = (role: RoleName): Person => {
    const [, second, name] = /^(second )?(\w+)$/.exec(role) ?? [];
    return present(file.people.filter((one) => one.role === name)[second === undefined ? 0 : 1], role);
  };
  const call: Demo['call'] = async (bearer, method, at, body) => await callPlane(product.plane, bearer, method, at, body);
  const answered = async (answer: PlaneAnswer, status: number): Promise<PlaneAnswer> => {
    if (answer.status !== status) throw new Error(`${String(status)} was expected: ${JSON.stringify(answer)}`);
    return answer;
  };
  return {
    ...product,
    rootFingerprint: file.root_fingerprint,
    ownerKey: present(person('owner').key, 'owner key'),
    person,
    token,
    call,
    openSession: async ({ request, agent = 'harbor-assistant', known = [] }) => {
      const desk = token('orchestrator');
      const opened = await answered(await call(desk, 'POST', '/v1/sessions', { human: person('requester').email, request, agent }), 201);
      const { id } = opened.body as { readonly id: string };
      if (known.length > 0) await answered(await call(desk, 'POST', `/v1/sessions/${id}/context`, { attributes: known }), 200);
      return id;
    },
    propose: async (agent, session, proposal) => (await answered(await call(token('agent', agent), 'POST', '/v1/actions', { session, ...proposal }), 200)).body as ActionView,
    readAction: async (agent, action) => (await answered(await call(token('agent', agent), 'GET', `/v1/actions/${action}`), 200)).body as ActionView,
  };
}

/** The value, which has to be there. */
export function present<Value>(value: Value | undefined | null, what: string): Value {
  if (value === undefined || value === null) throw new Error(`There is no ${what}.`);
  return value;
}
