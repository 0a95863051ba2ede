const mostRounds = 4;

/**
 * The text, and what further readers would make of it: percent-decoded again and again, overlong UTF-8 dots and slashes,
 * `%u` forms, full-width dots and slashes. One element: nothing is encoded.
 */
export function decodedForms(text: string): readonly string[] {
  const forms = [text];
  let current = text;
  for (let round = 0; round < mostRounds; round++) {
    const next = decodeOnce(current);
    if (next === current) break;
    forms.push(next);
    current = next;
  }
  return forms;
}

function decodeOnce(text: string): string {
  const read = text.replace(/[\uff0e\u2024]/g, '.').replace(/[\uff0f\u2215\u2044]/g, '/').replaceAll('\uff3c', '\\');
  if (!read.includes('%')) return read;
  return read
    .replace(/%u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/%c0%(?:ae|2e)/gi, '.')
    .replace(/%c0%(?:af|2f)|%c1%9c/gi, '/')
    .replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
