import type { AskableField } from '@/lib/approvals/plan-asks';
import type { MissingField } from '@/lib/engine/decision';
import type { InformationPoints } from '@/lib/ports/information-point';
import { isJsonArray, isJsonObject } from '@/lib/shared/json';
import { parseOwnJson } from '@/lib/shared/parse-own-json';

/** What of the missing fields this process can ask for: attributes of something, of information points that it has an address of. */
export const askableFields = (missing: readonly MissingField[], { sources }: InformationPoints): readonly AskableField[] =>
  missing.flatMap(({ subject, attribute, suppliers }) =>
    subject === undefined || attribute === undefined
      ? []
      : suppliers.filter((source) => sources.has(source)).map((source) => ({ subject, name: attribute, source })),
  );

/** The fields as they were stored with a deferral. */
export function storedMissing(text: string): readonly MissingField[] {
  const value = parseOwnJson(text);
  return (isJsonArray(value) ? value : []).filter(isJsonObject).map(({ field, subject, attribute, suppliers }) => ({
    field: typeof field === 'string' ? field : '',
    ...(typeof subject === 'string' ? { subject } : {}),
    ...(typeof attribute === 'string' ? { attribute } : {}),
    suppliers: (isJsonArray(suppliers) ? suppliers : []).filter((supplier) => typeof supplier === 'string'),
  }));
}
