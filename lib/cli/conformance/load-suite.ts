import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import type { z } from 'zod';

import { readYaml } from '@/lib/policy/read-yaml';
import { projectRoot } from '@/lib/server/project-root';
import { fail, ok, type Result } from '@/lib/shared/result';
import { isJsonArray, type JsonObject } from '@/lib/shared/json';

import type { Cast } from './call';
import { caseFileSchema, suiteFileSchema, suiteVersion, type Case } from './case-schema';

export type Suite = {
  readonly version: string;
  readonly cast: Cast;
  readonly cases: readonly Case[];
  /** The whole policy of that name, with what a case adds to it. Throws when no file has one of that name. */
  readonly policyOf: (policy: string, rules: readonly JsonObject[], settings: JsonObject) => JsonObject;
};

export const shippedSuite = (): string => path.join(projectRoot(), 'policies', 'conformance', 'v1');

/** Reads a version's folder: `suite.yaml`, and cases from every other `.yaml`. `invalid_input` names the file and place of what is wrong. */
export async function loadSuite(folder: string): Promise<Result<Suite>> {
  const suite = await readAs(folder, 'suite.yaml', suiteFileSchema);
  if (!suite.ok) return suite;
  const { cast, settings: usual } = suite.value;
  const cases: Case[] = [];
  const policies = new Map<string, JsonObject>();
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.yaml') && name !== 'suite.yaml').sort()) {
    const read = await readAs(folder, file, caseFileSchema);
    if (!read.ok) return read;
    for (const [name, policy] of Object.entries(read.value.policies)) {
      if (policies.has(name)) return fail('invalid_input', `${file}: there is another policy ${name}.`);
      policies.set(name, policy);
    }
    cases.push(...read.value.cases);
  }
  const fault = faultIn(cases, policies);
  if (fault !== null) return fail('invalid_input', fault);
  return ok({
    version: suiteVersion,
    cast,
    cases,
    policyOf: (name, rules, settings) => {
      const policy = policies.get(name);
      if (!policy) throw new Error(`There is no policy ${name}.`);
      const own = isJsonArray(policy.rules) ? policy.rules : [];
      return { ...usual, ...policy, ...settings, rules: [...own, ...rules] };
    },
  });
}

function faultIn(cases: readonly Case[], policies: ReadonlyMap<string, JsonObject>): string | null {
  const ids = new Set<string>();
  for (const one of cases) {
    if (ids.has(one.id)) return `There are two cases ${one.id}.`;
    ids.add(one.id);
    const named = [one.policy, ...one.steps.flatMap((step) => (step.do === 'load' && step.policy !== undefined ? [step.policy] : []))];
    const unknown = named.find((name) => !policies.has(name));
    if (unknown !== undefined) return `Case ${one.id} names the policy ${unknown}, which no file has.`;
  }
  return null;
}

async function readAs<Schema extends z.ZodType>(folder: string, file: string, schema: Schema): Promise<Result<z.output<Schema>>> {
  const { read, issues } = readYaml(await readFile(path.join(folder, file), 'utf8'));
  if (!read) return fail('invalid_input', `${file} cannot be read.`, { issues });
  const parsed = schema.safeParse(read.value);
  if (parsed.success) return ok(parsed.data);
  return fail('invalid_input', `${file} does not fit ${suiteVersion}.`, {
    issues: parsed.error.issues.map((issue) => {
      const place = issue.path.filter((part) => typeof part !== 'symbol');
      return { path: place.join('.'), message: issue.message, ...read.locate(place) };
    }),
  });
}
