import { fail, ok, type Issue, type Result } from '@/lib/shared/result';

import type { Catalogue, CatalogueEntry, DecisionKind, Effect, Impact, LabelRule, ParameterSpec } from './catalogue';
import { toolNameFault } from './tool-name';

/** One entry of a policy's `tools:`: a new operation, or the named fields of one that the base has. */
export type ToolExtension = {
  /** `tool.operation`; the operation is what follows the last dot. */
  readonly name: string;
  readonly effect?: Effect;
  readonly impact?: Impact;
  readonly decision?: DecisionKind;
  readonly grant?: boolean;
  readonly trusted?: boolean;
  readonly open?: boolean;
  /** Replaces the schema as a whole: a schema mended field by field could not be read in one place. */
  readonly parameters?: Readonly<Record<string, ParameterSpec>>;
  readonly labels?: readonly LabelRule[];
};

/**
 * The base with a policy's tools. The digest stays the base's: the policy's own digest covers what it adds.
 * Errors (`policy_invalid`, all at once, with paths such as `tools[2].name`): a name twice, a name that is no name,
 * a new operation without effect and impact.
 */
export function extendCatalogue(base: Catalogue, tools: readonly ToolExtension[]): Result<Catalogue> {
  const entries = new Map(base.entries);
  const seen = new Map<string, number>();
  const issues: Issue[] = [];
  tools.forEach((tool, i) => {
    const at = `tools[${String(i)}]`;
    const dot = tool.name.lastIndexOf('.');
    const given = tool.name.slice(0, Math.max(dot, 0));
    const operation = tool.name.slice(dot + 1);
    const fault = dot < 1 ? 'A tool is named tool.operation.' : (toolNameFault(given) ?? toolNameFault(operation));
    if (fault !== undefined) {
      issues.push({ path: `${at}.name`, message: fault, fix: 'Write it like crm.export.' });
      return;
    }
    const toolName = base.aliases.get(given) ?? given;
    const key = `${toolName}.${operation}`;
    const earlier = seen.get(key);
    if (earlier !== undefined) {
      issues.push({ path: `${at}.name`, message: `${key} is there already, as tools[${String(earlier)}].`, fix: 'Join the two entries.' });
      return;
    }
    seen.set(key, i);
    const old = entries.get(key);
    if (old && (old.tool !== toolName || old.operation !== operation)) {
      issues.push({ path: `${at}.name`, message: `${key} collides with ${old.tool}.${old.operation} of the base.` });
      return;
    }
    const effect = tool.effect ?? old?.effect;
    const impact = tool.impact ?? old?.impact;
    if (!effect || !impact) {
      issues.push({ path: at, message: `${key} is new, so it needs effect and impact.`, fix: 'Add effect: read and impact: low, or what is true of it.' });
      return;
    }
    entries.set(key, joined(toolName, operation, effect, impact, tool, old));
  });
  if (issues.length > 0) return fail('policy_invalid', 'The tools of the policy do not fit the catalogue.', { issues });
  return ok({ ...base, entries });
}

function joined(tool: string, operation: string, effect: Effect, impact: Impact, more: ToolExtension, old: CatalogueEntry | undefined): CatalogueEntry {
  const decision = more.decision ?? old?.decision;
  const open = more.open ?? old?.open;
  return {
    tool, operation, effect, impact,
    ...(decision ? { decision } : {}),
    ...(open === undefined ? {} : { open }),
    grant: more.grant ?? old?.grant ?? false,
    trusted: more.trusted ?? old?.trusted ?? false,
    parameters: more.parameters ?? old?.parameters ?? {},
    labels: more.labels ?? old?.labels ?? [],
  };
}
