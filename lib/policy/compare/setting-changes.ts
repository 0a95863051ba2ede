import type { CompiledPolicy, PolicySettings } from '@/lib/engine/policy';
import { levelOf } from '@/lib/engine/label-levels';
import type { CatalogueEntry } from '@/lib/mediate/catalogue';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { Json } from '@/lib/shared/json';

import type { ChangeEffect, SettingChange } from './comparison';

/** Everything beside the rules that differs and has its effect elsewhere than in one decision, or in all of them alike. */
export function settingChanges(base: CompiledPolicy, next: CompiledPolicy): readonly SettingChange[] {
  const found: SettingChange[] = [];
  const add = (setting: string, from: Json, to: Json, effects: readonly ChangeEffect[]): void => {
    if (canonicalJson(from) !== canonicalJson(to)) found.push({ of: 'setting', setting, from, to, effects });
  };
  for (const [setting, read] of Object.entries(numbers)) {
    const [from, to] = [read(base), read(next)];
    add(setting, from, to, [to > from ? 'loosens' : 'tightens']);
  }
  add('approvals.quorum', base.approvals.quorum, next.approvals.quorum, [next.approvals.quorum < base.approvals.quorum ? 'loosens' : 'tightens']);
  add('approvals.approvers', [...base.approvals.approvers].sort(), [...next.approvals.approvers].sort(), ['moves']);
  add('approvals.separation', base.approvals.separation, next.approvals.separation, [next.approvals.separation ? 'tightens' : 'loosens']);
  add('defaults.unclassified', base.defaults.unclassified, next.defaults.unclassified, [levelOf(next.defaults.unclassified) < levelOf(base.defaults.unclassified) ? 'loosens' : 'tightens']);
  addInformation(base, next, add);
  const domains = compareLists(base.internalDomains ?? [], next.internalDomains ?? []);
  add('directory.internal_domains', base.internalDomains && [...base.internalDomains].sort(), next.internalDomains && [...next.internalDomains].sort(), base.internalDomains && next.internalDomains ? domains : ['loosens', 'tightens']);
  for (const [key, entry] of next.catalogue.entries) {
    const before = base.catalogue.entries.get(key);
    if (before && before !== entry) addEntry(key, before, entry, add);
  }
  return found;
}

type Add = (setting: string, from: Json, to: Json, effects: readonly ChangeEffect[]) => void;

/** More of each of these lets more run, or for longer. */
const numbers: Readonly<Record<string, (settings: PolicySettings) => number>> = {
  'approvals.timeout': ({ approvals }) => approvals.timeout_s,
  'deferrals.timeout': ({ deferrals }) => deferrals.timeout_s,
  'deferrals.depth': ({ deferrals }) => deferrals.depth,
  'permits.ttl': ({ permits }) => permits.ttl_s,
  'permits.after_approval': ({ permits }) => permits.after_approval_s,
  'permits.outcome': ({ permits }) => permits.outcome_s,
  'sessions.ttl': ({ sessions }) => sessions.ttl_s,
  'sessions.idle': ({ sessions }) => sessions.idle_s,
  'limits.held_per_session': ({ limits }) => limits.held_per_session,
  'limits.held_per_agent': ({ limits }) => limits.held_per_agent,
  'limits.held_per_human': ({ limits }) => limits.held_per_human,
  'limits.new_per_minute': ({ limits }) => limits.new_per_minute,
};

/** Who may say what an attribute is decides in the end what rules that read it do. */
function addInformation(base: PolicySettings, next: PolicySettings, add: Add): void {
  for (const name of [...new Set([...base.information.keys(), ...next.information.keys()])].sort()) {
    const [from, to] = [base.information.get(name), next.information.get(name)];
    add(`information.${name}.from`, [...(from?.from ?? [])].sort(), [...(to?.from ?? [])].sort(), ['moves']);
    if (from && to) {
      add(`information.${name}.max_age`, from.max_age_s, to.max_age_s, [(to.max_age_s ?? Infinity) > (from.max_age_s ?? Infinity) ? 'loosens' : 'tightens']);
      add(`information.${name}.type`, from.type ?? null, to.type ?? null, ['loosens', 'tightens']);
    }
  }
}

function addEntry(key: string, from: CatalogueEntry, to: CatalogueEntry, add: Add): void {
  add(`tools.${key}.trusted`, from.trusted, to.trusted, [to.trusted ? 'loosens' : 'tightens']);
  add(`tools.${key}.labels`, from.labels.map(({ reads, add: labels }) => ({ reads, add: labels })), to.labels.map(({ reads, add: labels }) => ({ reads, add: labels })), ['loosens', 'tightens']);
  const sensitive = ({ parameters }: CatalogueEntry): readonly string[] => Object.entries(parameters).flatMap(([name, spec]) => (spec.sensitive === true ? [name] : [])).sort();
  add(`tools.${key}.sensitive`, sensitive(from), sensitive(to), compareLists(sensitive(to), sensitive(from)));
}

/** What a longer list loosens. */
function compareLists(from: readonly string[], to: readonly string[]): readonly ChangeEffect[] {
  const effects: ChangeEffect[] = [];
  if (to.some((one) => !from.includes(one))) effects.push('loosens');
  if (from.some((one) => !to.includes(one))) effects.push('tightens');
  return effects;
}

/** The base with those settings of the next one that are named above and that every decision takes over as they are: what is left to search for is what rules make different. */
export function withSettingsOf(base: CompiledPolicy, next: CompiledPolicy): CompiledPolicy {
  const taken = ({ approvals, deferrals }: CompiledPolicy): string => canonicalJson(asJson({ approvals, deferrals }));
  if (taken(base) === taken(next)) return base;
  return { ...base, approvals: next.approvals, deferrals: next.deferrals };
}
