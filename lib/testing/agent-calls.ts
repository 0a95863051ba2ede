import type { TestPlane } from './plane-fixture';

type Decided = { readonly decision: string; readonly code: string };

/** What an agent (`helper`) and its enforcement point (`gate`) do again and again. The plane is asked for late: a test file starts it before its first test. */
export function agentCalls(plane: () => TestPlane) {
  const as = (subject: string, method: string, path: string, body?: unknown) => plane().call(plane().token(subject), method, path, body);
  const propose = (session: string, key: string, parameters: object, agent = 'helper') => {
    const [tool, operation] = key.split('.');
    return as(agent, 'POST', '/v1/actions', { session, tool, operation, parameters });
  };
  const redeem = (permit: string) => as('gate', 'POST', `/v1/permits/${permit}/redeem`);

  /** Proposed, allowed and redeemed, its outcome not in yet. */
  async function begin(session: string, key: string, parameters: object): Promise<string> {
    const { body } = await propose(session, key, parameters);
    if (body.decision !== 'ALLOW') throw new Error(`Not allowed: ${JSON.stringify(body)}`);
    await redeem(body.permit.id as string);
    return body.id as string;
  }

  async function report(action: string, output: string): Promise<{ readonly labels: readonly string[] }> {
    const { status, body } = await as('gate', 'POST', `/v1/actions/${action}/outcome`, { status: 'succeeded', output });
    if (status !== 200) throw new Error(`Not reported: ${JSON.stringify(body)}`);
    return body as { readonly labels: readonly string[] };
  }

  return {
    propose, redeem, begin, report,
    run: async (session: string, key: string, parameters: object, output: string) => await report(await begin(session, key, parameters), output),
    mailTo: async (session: string, to: string, agent = 'helper') => (await propose(session, 'email.send', { to, body: 'hello' }, agent)).body as Decided,
    /** A session below `parent`, opened with the agent's own credential unless `opener` says otherwise. */
    openChild: async (parent: string, opener = 'helper', more: object = {}): Promise<string> => {
      const { status, body } = await as(opener, 'POST', '/v1/sessions', { human: 'requester@harbor.example', request: 'Do your part.', agent: 'helper', parent, ...more });
      if (status !== 201) throw new Error(`No child: ${JSON.stringify(body)}`);
      return body.id as string;
    },
  };
}
