import type * as worldModule from '@/lib/cli/conformance/reference/world';
import type * as decideInWorldModule from '@/lib/cli/conformance/reference/decide-in-world';
import type * as effectiveOfModule from '@/lib/cli/conformance/reference/effective-of';
import type * as endOfModule from '@/lib/cli/conformance/reference/end-of';
import type * as identityOfModule from '@/lib/cli/conformance/reference/identity-of';
import type * as keepTimeModule from '@/lib/cli/conformance/reference/keep-time';
import type * as permitRefusalModule from '@/lib/cli/conformance/reference/permit-refusal';
import type * as proposeModule from '@/lib/cli/conformance/reference/propose';
import type * as settleDependentsModule from '@/lib/cli/conformance/reference/settle-dependents';
import type * as stillCoveredModule from '@/lib/cli/conformance/reference/still-covered';
import type * as supplyModule from '@/lib/cli/conformance/reference/supply';
import type * as takeDecisionModule from '@/lib/cli/conformance/reference/take-decision';
import type * as voteModule from '@/lib/cli/conformance/reference/vote';
import type * as waitingModule from '@/lib/cli/conformance/reference/waiting';
import type * as permitLabelsModule from '@/lib/context/permit-labels';
import type * as takeSnapshotModule from '@/lib/context/take-snapshot';
import type * as chooseBaselineModule from '@/lib/engine/choose-baseline';
import type * as countActionsModule from '@/lib/engine/count-actions';
import type * as decideModule from '@/lib/engine/decide';
import type * as demandModule from '@/lib/engine/demand';
import type * as domainsModule from '@/lib/engine/domains';
import type * as evaluateModule from '@/lib/engine/evaluate';
import type * as holdModule from '@/lib/engine/hold';
import type * as holdSequenceModule from '@/lib/engine/hold-sequence';
import type * as outcomeModule from '@/lib/engine/outcome';
import type * as runRoundsModule from '@/lib/engine/run-rounds';
import type * as runTestModule from '@/lib/engine/run-test';
import type * as transformActionModule from '@/lib/engine/transform-action';
import type * as guardOutputModule from '@/lib/guards/guard-output';
import type * as checkParametersModule from '@/lib/mediate/check-parameters';
import type * as factsModule from '@/lib/mediate/facts';
import type * as mediateModule from '@/lib/mediate/mediate';
import type * as compilePolicyModule from '@/lib/policy/compile-policy';

type Modules = {
  readonly 'cli/conformance/reference/decide-in-world': typeof decideInWorldModule;
  readonly 'cli/conformance/reference/effective-of': typeof effectiveOfModule;
  readonly 'cli/conformance/reference/end-of': typeof endOfModule;
  readonly 'cli/conformance/reference/identity-of': typeof identityOfModule;
  readonly 'cli/conformance/reference/keep-time': typeof keepTimeModule;
  readonly 'cli/conformance/reference/permit-refusal': typeof permitRefusalModule;
  readonly 'cli/conformance/reference/propose': typeof proposeModule;
  readonly 'cli/conformance/reference/settle-dependents': typeof settleDependentsModule;
  readonly 'cli/conformance/reference/still-covered': typeof stillCoveredModule;
  readonly 'cli/conformance/reference/supply': typeof supplyModule;
  readonly 'cli/conformance/reference/take-decision': typeof takeDecisionModule;
  readonly 'cli/conformance/reference/vote': typeof voteModule;
  readonly 'cli/conformance/reference/waiting': typeof waitingModule;
  readonly 'cli/conformance/reference/world': typeof worldModule;
  readonly 'context/permit-labels': typeof permitLabelsModule;
  readonly 'context/take-snapshot': typeof takeSnapshotModule;
  readonly 'engine/choose-baseline': typeof chooseBaselineModule;
  readonly 'engine/count-actions': typeof countActionsModule;
  readonly 'engine/decide': typeof decideModule;
  readonly 'engine/demand': typeof demandModule;
  readonly 'engine/domains': typeof domainsModule;
  readonly 'engine/evaluate': typeof evaluateModule;
  readonly 'engine/hold': typeof holdModule;
  readonly 'engine/hold-sequence': typeof holdSequenceModule;
  readonly 'engine/outcome': typeof outcomeModule;
  readonly 'engine/run-rounds': typeof runRoundsModule;
  readonly 'engine/run-test': typeof runTestModule;
  readonly 'engine/transform-action': typeof transformActionModule;
  readonly 'guards/guard-output': typeof guardOutputModule;
  readonly 'mediate/check-parameters': typeof checkParametersModule;
  readonly 'mediate/facts': typeof factsModule;
  readonly 'mediate/mediate': typeof mediateModule;
  readonly 'policy/compile-policy': typeof compilePolicyModule;
};

export type Mutant = {
  readonly id: string;
  /** What is wrong with this engine, for whoever reads a failure. */
  readonly says: string;
  /** Below lib/. */
  readonly module: keyof Modules;
  readonly name: string;
  /** The broken function, made of the right one. */
  readonly broken: (original: never) => unknown;
};

/** A mutant of one exported function, held to that function's type: when it changes, what no longer breaks it does not compile. */
export const mutant = <M extends keyof Modules, Name extends keyof Modules[M] & string>(
  id: string,
  says: string,
  module: M,
  name: Name,
  broken: (original: Modules[M][Name]) => Modules[M][Name],
): Mutant => ({ id, says, module, name, broken });
