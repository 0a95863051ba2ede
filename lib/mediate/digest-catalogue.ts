import { canonicalBytes } from '@/lib/shared/canonical-json';
import { digestOf, type Sha256 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';
import type { Json } from '@/lib/shared/json';

import type { Catalogue, CatalogueEntry, ParameterSpec } from './catalogue';

/** SHA-256 over the canonical JSON of everything in a catalogue that can change a decision. Order does not matter. */
export function digestCatalogue(sha256: Sha256, catalogue: Omit<Catalogue, 'digest'>): Digest {
  const entries = Object.fromEntries([...catalogue.entries].map(([key, entry]) => [key, entryJson(entry)]));
  return digestOf(sha256, canonicalBytes({ name: catalogue.name, version: catalogue.version, entries, aliases: Object.fromEntries(catalogue.aliases) }));
}

function entryJson(entry: CatalogueEntry): Json {
  return present({
    ...entry,
    parameters: Object.fromEntries(Object.entries(entry.parameters).map(([name, spec]) => [name, specJson(spec)])),
    labels: entry.labels.map((rule) => ({ reads: rule.reads, add: [...rule.add] })),
  });
}

const specJson = (spec: ParameterSpec): Json => present({ ...spec });

/** Without the fields that are left out. */
function present(fields: Readonly<Record<string, Json | undefined>>): Json {
  const kept: Record<string, Json> = {};
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) kept[name] = value;
  return kept;
}
