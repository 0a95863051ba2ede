/** Up to three names within two edits or containing the word, nearest first: for the `fix` of an unknown name. */
export function nearestNames(name: string, known: Iterable<string>): readonly string[] {
  const wanted = name.slice(0, 64).toLowerCase();
  const found: { readonly name: string; readonly distance: number }[] = [];
  for (const candidate of known) {
    const other = candidate.toLowerCase();
    const distance = Math.abs(other.length - wanted.length) > 8 ? 99 : editDistance(wanted, other);
    if (distance <= Math.max(2, Math.floor(wanted.length / 3))) found.push({ name: candidate, distance });
  }
  found.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return found.slice(0, 3).map((one) => one.name);
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(replace, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}
