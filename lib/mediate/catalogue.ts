import type { Digest } from '@/lib/shared/ids';

/** What an operation does to the world. */
export const effects = ['read', 'write', 'destructive', 'communicate', 'execute', 'grant', 'spend'] as const;
export type Effect = (typeof effects)[number];

/** How bad a wrong execution would be. Critical is high plus a quorum of two. */
export const impacts = ['low', 'medium', 'high', 'critical'] as const;
export type Impact = (typeof impacts)[number];

/** The five decisions, strictest first is DENY > DEFER > STEP_UP > MODIFY > ALLOW. */
export const decisionKinds = ['ALLOW', 'MODIFY', 'STEP_UP', 'DEFER', 'DENY'] as const;
export type DecisionKind = (typeof decisionKinds)[number];

/** What a parameter means: it decides how the value is parsed and which facts it yields. */
export const parameterRoles = ['target', 'recipients', 'path', 'url', 'command', 'query', 'amount'] as const;
export type ParameterRole = (typeof parameterRoles)[number];

/** `any` is for schemas that a tool leaves open; its value is bounded, never interpreted. */
export const parameterTypes = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'any'] as const;
export type ParameterType = (typeof parameterTypes)[number];

export type ParameterSpec = {
  readonly type: ParameterType;
  readonly items?: ParameterType;
  /** A scalar is also taken where the type is array (an address for a list of addresses). */
  readonly scalar_or_array?: boolean;
  readonly optional?: boolean;
  readonly nullable?: boolean;
  readonly role?: ParameterRole;
  readonly sensitive?: boolean;
};

/** Labels that a call's output carries when its target, path or queried table matches `reads` (`*` = any call). */
export type LabelRule = { readonly reads: string; readonly add: readonly string[] };

/** One operation of one tool. */
export type CatalogueEntry = {
  readonly tool: string;
  readonly operation: string;
  readonly effect: Effect;
  readonly impact: Impact;
  /** The baseline decision; left out: the policy's defaults. */
  readonly decision?: DecisionKind;
  readonly grant: boolean;
  /** Outputs that an enforcement point reports for this operation are trusted. */
  readonly trusted: boolean;
  readonly parameters: Readonly<Record<string, ParameterSpec>>;
  /** Unknown parameters are accepted (and never interpreted). Stock entries are closed. */
  readonly open?: boolean;
  readonly labels: readonly LabelRule[];
};

/** Entries by `tool.operation`; aliases map an alias of a tool to its name. */
export type Catalogue = {
  readonly name: string;
  readonly version: number;
  readonly digest: Digest;
  readonly entries: ReadonlyMap<string, CatalogueEntry>;
  readonly aliases: ReadonlyMap<string, string>;
};
