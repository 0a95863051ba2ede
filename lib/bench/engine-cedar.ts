import type { CedarValueJson, StatefulAuthorizationCall } from '@cedar-policy/cedar-wasm/nodejs';

import type { EngineCase } from './engine-cases';
import { rulesPerDepartment } from './engine-policy';
import type { EnginePeer } from './engine-peer';
import { factsFor } from './engine-peer';

/**
 * The same rules as Cedar policies, parsed beforehand. Cedar answers allow or deny: what asks for people is a `forbid` here (its id
 * tells the caller what to ask for), a cap on a number cannot be said, so that action is plainly allowed, and what is not known
 * is plainly false. Context that Cedar does not keep comes along, already worked out.
 */
export async function cedarPeer(rules: number, cases: readonly EngineCase[]): Promise<EnginePeer> {
  const cedar = await import('@cedar-policy/cedar-wasm/nodejs');
  const policies = Array.from({ length: rules / rulesPerDepartment }, (_, d) => Object.entries(policiesOf(String(d)))).flat();
  const parsed = cedar.preparsePolicySet('bench', { staticPolicies: Object.fromEntries(policies) });
  if (parsed.type === 'failure') throw new Error(`Cedar does not take the policies: ${JSON.stringify(parsed.errors[0])}`);
  const calls = new Map(cases.map((one) => [one, callFor(one)]));
  return {
    allows: (one) => {
      const answer = cedar.statefulIsAuthorized(calls.get(one) ?? callFor(one));
      if (answer.type === 'failure') throw new Error(`Cedar failed: ${JSON.stringify(answer.errors[0])}`);
      return answer.response.decision === 'allow';
    },
  };
}

function policiesOf(n: string): Readonly<Record<string, string>> {
  const role = `principal in Role::"dept${n}"`;
  const tools = [`dept${n}.lookup`, `dept${n}.change`, 'email.send'];
  const own = `action == Action::"dept${n}.change", resource`;
  const clear = 'context has intent && context.intent.containsAny(["cleanup", "delete"]) && context has owner && context.owner == context.human && context.limit <= 1000';
  return {
    [`look-${n}`]: `permit(principal, action == Action::"dept${n}.lookup", resource);`,
    [`change-${n}`]: `permit(principal, ${own});`,
    [`cap-${n}`]: `permit(principal, ${own}) when { context has limit && context.limit > 100 };`,
    [`large-${n}`]: `forbid(principal, ${own}) when { context has amount && context.amount > 5000 };`,
    [`locked-${n}`]: `forbid(principal, ${within(tools.slice(0, 2))}, resource) when { context.id like "ledger-*" || context.id like "audit-*" };`,
    [`mail-${n}`]: `permit(${role}, action == Action::"email.send", resource);`,
    [`leak-${n}`]: `forbid(${role}, ${within(tools)}, resource) when { context.labels.contains("PII") && context.external };`,
    [`steered-${n}`]: `forbid(${role}, ${within(tools)}, resource) when { context.toFrom.containsAny(["untrusted_output", "nowhere"]) };`,
    [`burst-${n}`]: `forbid(${role}, ${within([...tools, 'database.delete'])}, resource) when { context.mailsLastMinute > 20 };`,
    [`clear-${n}`]: `permit(${role}, action == Action::"database.delete", resource) when { ${clear} };`,
  };
}

const within = (names: readonly string[]): string => `action in [${names.map((name) => `Action::"${name}"`).join(', ')}]`;

function callFor(one: EngineCase): StatefulAuthorizationCall {
  const facts = factsFor(one);
  const context: Record<string, CedarValueJson> = {};
  for (const [name, value] of Object.entries(facts)) if (value !== undefined) context[name] = typeof value === 'object' ? [...value] : typeof value === 'number' ? Math.trunc(value) : value;
  const principal = { type: 'Agent', id: one.evidence.identity.agent };
  return {
    principal,
    action: { type: 'Action', id: facts.act },
    resource: { type: 'Target', id: facts.id },
    context,
    preparsedPolicySetId: 'bench',
    entities: [{ uid: principal, attrs: {}, parents: [{ type: 'Role', id: facts.role }] }],
  };
}
