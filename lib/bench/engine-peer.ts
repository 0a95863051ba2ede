import { benchNow, type EngineCase } from './engine-cases';

/** Another engine on an equivalent policy; it answers allow or deny. */
export type EnginePeer = { readonly allows: (one: EngineCase) => boolean };

/** What the other engines have to be told: their callers would work it out before they ask, so it costs them nothing here. */
export type PeerFacts = {
  readonly act: string;
  readonly role: string;
  readonly human: string;
  readonly id: string;
  readonly limit: number | undefined;
  readonly amount: number | undefined;
  readonly labels: readonly string[];
  readonly external: boolean;
  readonly toFrom: readonly string[];
  readonly mailsLastMinute: number;
  readonly intent: readonly string[];
  readonly owner: string | undefined;
};

export function factsFor({ action, snapshot }: EngineCase): PeerFacts {
  const { parameters, facts: { recipients } } = action;
  const number = (name: string): number | undefined => (typeof parameters[name] === 'number' ? parameters[name] : undefined);
  const owner = snapshot.attributes.find(({ name }) => name === 'owner')?.value;
  return {
    act: `${action.tool}.${action.operation}`,
    role: snapshot.identity.role,
    human: snapshot.identity.human,
    id: typeof parameters.id === 'string' ? parameters.id : '',
    limit: number('limit'),
    amount: number('amount'),
    labels: snapshot.labels,
    external: recipients.some((address) => !address.endsWith('@harbor.example')),
    toFrom: snapshot.provenance.filter(({ path }) => path === 'to' || path.startsWith('to[')).map(({ source }) => source),
    mailsLastMinute: snapshot.prior.recent.filter((prior) => prior.tool === 'email' && Date.parse(benchNow) - Date.parse(prior.at) <= 60_000).length,
    intent: snapshot.intent?.affirmed ?? [],
    owner: typeof owner === 'string' ? owner : undefined,
  };
}
