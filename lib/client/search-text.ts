/** A query object as the text behind the question mark: absent values left out, names in order, so that equal queries have one key. */
export function searchText(query: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] satisfies [string, string]]));
  return new URLSearchParams(pairs.sort(([left], [right]) => (left < right ? -1 : 1))).toString();
}
