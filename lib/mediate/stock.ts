import type { Sha256 } from '@/lib/shared/encoding';

import type { Catalogue } from './catalogue';
import { digestCatalogue } from './digest-catalogue';
import { stockAliases, stockEntries } from './stock-entries';

const name = 'stock';
const version = 1;

/**
 * The catalogue that ships, `stock@1`. A policy names it by version and digest, so that an upgrade of the product
 * never changes what a signed policy means: changing an entry needs a new version beside this one.
 */
export function stockCatalogue(sha256: Sha256): Catalogue {
  const entries = new Map(stockEntries.map((entry) => [`${entry.tool}.${entry.operation}`, entry]));
  return { name, version, digest: digestCatalogue(sha256, { name, version, entries, aliases: stockAliases }), entries, aliases: stockAliases };
}
