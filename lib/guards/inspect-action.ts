import type { GuardFinding } from '@/lib/context/snapshot';
import type { CanonicalAction } from '@/lib/mediate/action';
import type { ParameterRole } from '@/lib/mediate/catalogue';
import { isJsonArray, isJsonObject, type Json } from '@/lib/shared/json';

import { detectSecrets } from './detect-secrets';
import { inspectCommand } from './inspect-command';
import { inspectManaged } from './inspect-managed';
import { inspectPath } from './inspect-path';
import { inspectSql } from './inspect-sql';
import { inspectCommandUrl, inspectUrl } from './inspect-url';
import { inspectText } from './inspect-text';
import type { Inspection } from './inspection';

const mostLeaves = 2_000;

/**
 * What the shipped guards find in an action's arguments. Each parameter is inspected for what it reaches, by its role:
 * shell metacharacters mean nothing in a mail. Pure, linear in the action. `path` is relative to the parameters. `managed` are the
 * absolute folders in which this installation keeps its keys and pins.
 */
export function inspectAction(action: CanonicalAction, managed: readonly string[] = []): readonly GuardFinding[] {
  const { entry, parameters } = action;
  const findings: GuardFinding[] = [...inspectManaged(action, managed)];
  const leaves = action.facts.effects.includes('communicate') || action.facts.effects.includes('grant');
  const database = Object.values(entry.parameters).some((spec) => spec.role === 'query') || action.tool === 'database';
  let left = mostLeaves;
  const inspect = (value: Json, path: string, role: ParameterRole | undefined, name: string): void => {
    if (left-- <= 0) return;
    if (isJsonArray(value)) value.forEach((item, i) => { inspect(item, `${path}[${String(i)}]`, role, name); });
    else if (isJsonObject(value)) for (const key of Object.keys(value)) inspect(value[key] ?? null, `${path}.${key}`, undefined, name);
    else if (typeof value === 'string') {
      const found = [byRole(role, value), database && name === 'where' ? inspectSql(value) : undefined, leaves ? secretsLeaving(value) : undefined, inspectText(value, role)];
      for (const one of found) if (one) findings.push({ ...one, path });
    }
  };
  for (const name of Object.keys(parameters)) {
    const spec = Object.hasOwn(entry.parameters, name) ? entry.parameters[name] : undefined;
    inspect(parameters[name] ?? null, name, spec?.role, name);
  }
  const command = Object.keys(entry.parameters).find((name) => entry.parameters[name]?.role === 'command');
  if (command !== undefined) {
    for (const { host } of action.facts.urls) {
      const one = inspectCommandUrl(host);
      if (one) findings.push({ ...one, path: command });
    }
  }
  // What nobody inspected must not pass for clean.
  if (left < 0) findings.push({ guard: 'size', verdict: 'hold', path: '', detail: `There are more than ${String(mostLeaves)} values.` });
  return findings;
}

function byRole(role: ParameterRole | undefined, value: string): Inspection {
  switch (role) {
    case 'path':
      return inspectPath(value);
    case 'url':
      return inspectUrl(value);
    case 'command':
      return inspectCommand(value);
    case 'query':
      return inspectSql(value);
    case 'target':
    case 'recipients':
    case 'amount':
    case undefined:
      return undefined;
  }
}

function secretsLeaving(value: string): Inspection {
  const secret = detectSecrets(value)[0];
  return secret && { guard: 'secrets', verdict: 'hold', detail: `It would send out a ${secret.kind}.` };
}
