import type { EngineCase } from './engine-cases';
import { factsFor, type EnginePeer, type PeerFacts } from './engine-peer';
import { rulesPerDepartment } from './engine-policy';

const model = `
[request_definition]
r = act, role, facts

[policy_definition]
p = act, role, test, eft

[policy_effect]
e = some(where (p.eft == allow)) && !some(where (p.eft == deny))

[matchers]
m = (p.role == "*" || r.role == p.role) && (r.act == p.act || among(p.act, r.act)) && holds(p.test, r.facts)
`;

/** Conditions as one function of the language, which is faster there than an `eval` of each policy's own expression. */
const tests: Readonly<Record<string, (facts: PeerFacts) => boolean>> = {
  always: () => true,
  overLimit: ({ limit }) => limit !== undefined && limit > 100,
  large: ({ amount }) => amount !== undefined && amount > 5000,
  locked: ({ id }) => id.startsWith('ledger-') || id.startsWith('audit-'),
  leak: ({ labels, external }) => external && labels.includes('PII'),
  steered: ({ toFrom }) => toFrom.some((source) => source === 'untrusted_output' || source === 'nowhere'),
  burst: ({ mailsLastMinute }) => mailsLastMinute > 20,
  clear: ({ intent, owner, human, limit }) => owner === human && (limit ?? 0) <= 1000 && intent.some((concept) => concept === 'cleanup' || concept === 'delete'),
};

/** The same rules as casbin takes them, with the same limits as Cedar's: allow or deny, no caps, nothing unknown, no context of its own. */
export async function casbinPeer(rules: number, cases: readonly EngineCase[]): Promise<EnginePeer> {
  const casbin = await import('casbin');
  const lines = Array.from({ length: rules / rulesPerDepartment }, (_, d) => linesOf(String(d))).flat();
  const enforcer = await casbin.newEnforcer(casbin.newModelFromString(model), new casbin.StringAdapter(lines.join('\n')));
  await enforcer.addFunction('holds', (test: string, facts: PeerFacts) => tests[test]?.(facts) === true);
  const named = new Map(lines.map((line) => line.split(', ')[1] ?? '').map((acts) => [acts, new Set(acts.split('|'))]));
  await enforcer.addFunction('among', (acts: string, act: string) => named.get(acts)?.has(act) === true);
  const requests = new Map(cases.map((one) => [one, factsFor(one)]));
  return {
    allows: (one) => {
      const facts = requests.get(one) ?? factsFor(one);
      return enforcer.enforceSync(facts.act, facts.role, facts);
    },
  };
}

function linesOf(n: string): readonly string[] {
  const [look, change, role] = [`dept${n}.lookup`, `dept${n}.change`, `dept${n}`];
  return [
    `p, ${look}, *, always, allow`,
    `p, ${change}, *, always, allow`,
    `p, ${change}, *, overLimit, allow`,
    `p, ${change}, *, large, deny`,
    `p, ${look}|${change}, *, locked, deny`,
    `p, email.send, ${role}, always, allow`,
    `p, ${look}|${change}|email.send, ${role}, leak, deny`,
    `p, ${look}|${change}|email.send, ${role}, steered, deny`,
    `p, ${look}|${change}|email.send|database.delete, ${role}, burst, deny`,
    `p, database.delete, ${role}, clear, allow`,
  ];
}
