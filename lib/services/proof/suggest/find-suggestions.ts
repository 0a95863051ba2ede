import { z } from 'zod';

import type { CompiledPolicy } from '@/lib/engine/policy';
import type { PolicyFormat } from '@/lib/policy/read-text';
import type { ReplayReport } from '@/lib/policy/replay-report';
import { addRule } from '@/lib/policy/add-rule';
import type { CompilePolicy } from '@/lib/services/in-force';
import type { PolicyText } from '@/lib/services/proof/proof-work';
import { replayLog, walkLog, type ReplayLog, type ReplayRange } from '@/lib/services/proof/replay-log';
import { jsonField } from '@/lib/ledger/json-field';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import type { ApprovalId, ReceiptId } from '@/lib/shared/ids';
import type { JsonObject } from '@/lib/shared/json';
import { ok, type Result } from '@/lib/shared/result';
import { parseSnapshot } from '@/lib/verify/parse-snapshot';

import { narrowestRule, type Approved } from './narrowest-rule';

/** What is looked for: rules that so many approvals in a row would have needed nobody for. */
export type SuggestWork = { readonly base: PolicyText; readonly range: ReplayRange; readonly least: number };

export type Suggestion = {
  readonly text: string;
  readonly format: PolicyFormat;
  readonly rule: string;
  /** Begins the name of every rule for this tool, operation and agent, whatever values it names. */
  readonly family: string;
  readonly tool: string;
  readonly operation: string;
  /** Approvals that it would have saved, newest last. */
  readonly saved: number;
  readonly receipts: readonly ReceiptId[];
  readonly reach: readonly string[];
};

/** Each is replayed over the whole range: so many are tried, those that would have saved most first. */
const triedAtMost = 4;
/** Held actions that are remembered; older ones are forgotten. */
const rememberedAtMost = 20_000;
const namedReceipts = 50;

type Held = Approved & { readonly key: string; readonly tool: string; readonly operation: string; readonly receipt: ReceiptId; people: 'approved' | 'denied' | null };

/**
 * Rules that past approvals justify: for each tool, operation and agent whose latest held actions people approved one after another, the narrowest rule that
 * would have let them run. INVARIANT: none is returned under which anything runs that a person denied or policy denied, anywhere in the range; each was taken through the
 * whole replay to know that.
 */
export async function findSuggestions(parts: ReplayLog, compile: CompilePolicy, work: SuggestWork): Promise<Result<readonly Suggestion[]>> {
  const base = compile(work.base.text, work.base.format);
  if (!base.ok) return base;
  const held = new Map<ApprovalId, Held>();
  const fault = await walkLog(parts, work.range, {
    decision: (recorded, _index, contents) => {
      if (recorded.approval === null || recorded.decision !== 'STEP_UP' || typeof contents === 'string') return;
      const asked = action.safeParse(contents.action);
      const snapshot = parseSnapshot(contents.snapshot);
      if (!asked.success || !snapshot) return;
      const { tool, operation, parameters } = asked.data;
      held.set(recorded.approval, { key: `${tool}.${operation} ${recorded.agent}`, tool, operation, parameters, agent: recorded.agent, role: snapshot.identity.role, receipt: recorded.receipt, people: null });
      const [oldest] = held.size > rememberedAtMost ? held.keys() : [];
      if (oldest !== undefined) held.delete(oldest);
    },
    unreadable: () => undefined,
    resolved: ({ approval, state }) => {
      const one = held.get(approval);
      if (one) one.people = state === 'approved' || state === 'denied' ? state : null;
    },
    page: () => undefined,
  });
  if (fault) return fault;
  const found: Suggestion[] = [];
  for (const group of groupsOf([...held.values()], work.least).slice(0, triedAtMost)) {
    const candidate = candidateOf(parts, work.base, base.value, group);
    const compiled = candidate && compile(candidate.text, candidate.format);
    if (!candidate || compiled?.ok !== true || compiled.value.rules.length !== base.value.rules.length + 1) continue;
    const replay = await replayLog(parts, work.range, { base: base.value, proposed: compiled.value });
    if (!replay.ok) return replay;
    if (isJustified(replay.value, group)) found.push(candidate);
  }
  return ok(found);
}

/** For each tool, operation and agent the approvals since the last denial, where there are enough; longest first. */
function groupsOf(all: readonly Held[], least: number): readonly (readonly Held[])[] {
  const groups = new Map<string, Held[]>();
  for (const one of all) {
    const group = groups.get(one.key) ?? [];
    groups.set(one.key, group);
    if (one.people === 'denied') group.length = 0;
    else if (one.people === 'approved') group.push(one);
  }
  return [...groups.values()].filter(({ length }) => length >= least).sort((a, b) => b.length - a.length);
}

function candidateOf({ sha256 }: ReplayLog, { text, format }: PolicyText, base: CompiledPolicy, group: readonly Held[]): Suggestion | undefined {
  const [first] = group;
  const entry = first && base.catalogue.entries.get(`${first.tool}.${first.operation}`);
  const narrow = entry && narrowestRule(entry, group);
  if (!first || !narrow) return undefined;
  // Just over the rule that holds them: whatever ranks higher goes on deciding.
  const holding = base.rules.filter((rule) => rule.action === 'STEP_UP' && rule.classification === 'static' && rule.keys.has(`${first.tool}.${first.operation}`));
  const priority = Math.max(...holding.map((rule) => rule.priority), 0) + 1;
  const short = (said: string): string => digestOf(sha256, utf8(said)).slice(0, 12);
  const family = `suggested-${short(first.key)}-`;
  const id = `${family}${short(JSON.stringify(narrow.match))}`;
  const rule: JsonObject = { id, match: narrow.match, action: 'ALLOW', priority, reason: `People approved this ${String(group.length)} times in a row.` };
  const added = addRule(text, format, rule);
  if (!added.ok) return undefined;
  return { text: added.value, format, rule: id, family, tool: first.tool, operation: first.operation, saved: group.length, receipts: group.slice(-namedReceipts).map(({ receipt }) => receipt), reach: narrow.reach };
}

/** It lets all of them run and nothing that anybody, or any rule, denied; and changes nothing else but what people were asked about. */
function isJustified({ transitions, unattended, changed, newly_allowed: allowed, listed }: ReplayReport, group: readonly Held[]): boolean {
  if (unattended.denied > 0 || transitions.some(({ now, then }) => now !== then && (now !== 'STEP_UP' || then !== 'ALLOW'))) return false;
  const runs = new Set(listed.filter(({ now, then }) => now === 'STEP_UP' && then === 'ALLOW').map(({ receipt }) => receipt));
  // Where more change than a report lists, that each of them does cannot be read off it.
  return changed === allowed && changed <= listed.length && group.every(({ receipt }) => runs.has(receipt));
}

const action = z.strictObject({ tool: z.string(), operation: z.string(), parameters: z.custom<JsonObject>((value) => typeof value === 'object' && value !== null && !Array.isArray(value) && jsonField.safeParse(value).success) });
