/**
 * The addresses in one recipient text, lower-cased: `a@b.example`, `"Display <x@y>" <a@b.example>`, several divided by
 * commas or semicolons, or a plain name or account that is no address. Only what stands in the angle brackets counts;
 * a display name may say anything. Undefined means opaque: line breaks, invisible characters, two @, unclosed quotes,
 * addresses that servers read as a way to another host.
 */
export function parseRecipients(text: string): readonly string[] | undefined {
  if (text.length > 4_096 || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text)) return undefined;
  const parts = splitOutsideQuotes(text);
  if (!parts) return undefined;
  const addresses: string[] = [];
  for (const part of parts) {
    const trimmed = part.trim();
    if (trimmed === '') continue;
    const address = addressOf(trimmed);
    if (address === undefined) return undefined;
    addresses.push(address);
  }
  return addresses.length === 0 ? undefined : addresses;
}

function addressOf(part: string): string | undefined {
  const unquoted = part.replace(/"(?:[^"\\]|\\.)*"/g, ' ');
  const angles = /^[^<>]*<([^<>]*)>$/.exec(unquoted.trim());
  // Quotes that belong to the address itself, or brackets that do not pair, are for nobody to guess at.
  if (!angles && (/[<>]/.test(unquoted) || (part.includes('"') && part.includes('@')))) return undefined;
  const address = (angles?.[1] ?? part).trim().replace(/^mailto:/i, '').normalize('NFC').toLowerCase();
  const at = address.indexOf('@');
  if (address === '' || at !== address.lastIndexOf('@') || (at >= 0 && /\s/.test(address)) || address.includes('%40')) return undefined;
  if (at >= 0 && reroutes.test(address)) return undefined;
  return at >= 0 ? address.replace(/\.+$/, '') : address;
}

/**
 * Before the @, what some mail servers take for another destination: `x%host@relay`, `host!x@relay`, `|program@host`,
 * `=?…?=` that they decode first.
 */
const reroutes = /[%!|`]|=\?/;

function splitOutsideQuotes(text: string): readonly string[] | undefined {
  const parts: string[] = [];
  let quoted = false;
  let angled = false;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '\\' && quoted) i++;
    else if (character === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (character === '<') angled = true;
    else if (character === '>') angled = false;
    else if ((character === ',' || character === ';') && !angled) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(text.slice(start));
  return quoted || angled ? undefined : parts;
}
