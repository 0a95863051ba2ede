/**
 * True for a sed script that only shows or edits what flows through it. `e` runs programs, `w`, `r`, `R` and `W` open files, also as
 * flags of `s` with any delimiter; what is not recognised could be one of them.
 */
export function isPlainSedScript(script: string): boolean {
  let at = 0;
  while (at < script.length) {
    at = skip(script, at, /[\s;{}]/);
    if (at >= script.length) return true;
    const end = commandEnd(script, at);
    if (end === undefined) return false;
    at = end;
  }
  return true;
}

function commandEnd(script: string, start: number): number | undefined {
  const at = addressEnd(script, start);
  if (at === undefined) return undefined;
  const command = script.charAt(at);
  if (command === '' || command === '}' || command === '{') return at;
  if (/[pdPDhHgGxnN=FzqQlL]/.test(command)) return separated(script, skip(script, at + 1, /[ 0-9]/));
  if (command === 's' || command === 'y') {
    const delimiter = script.charAt(at + 1);
    if (delimiter === '' || delimiter === '\\' || delimiter === '\n') return undefined;
    const middle = partEnd(script, at + 2, delimiter);
    const end = middle === undefined ? undefined : partEnd(script, middle, delimiter);
    return end === undefined ? undefined : separated(script, command === 's' ? skip(script, end, /[gpIiMm0-9]/) : end);
  }
  // Text, labels and comments reach to the end of the line.
  if (/[aicbtT:#]/.test(command)) {
    const line = script.indexOf('\n', at);
    return line < 0 ? script.length : line;
  }
  return undefined;
}

/** Numbers, `$`, steps, `/…/` and `\c…c`, one or two of them, and `!`. */
function addressEnd(script: string, start: number): number | undefined {
  let at: number | undefined = start;
  for (let part = 0; part < 2 && at !== undefined; part++) {
    const character = script.charAt(at);
    if (character === '/' || character === '\\') {
      const opening: number = character === '/' ? at + 1 : at + 2;
      const end = partEnd(script, opening, script.charAt(opening - 1));
      at = end === undefined ? undefined : skip(script, end, /[IM]/);
    } else at = skip(script, at, /[0-9$~+]/);
    if (at === undefined || script.charAt(at) !== ',') break;
    at++;
  }
  return at === undefined ? undefined : skip(script, at, /[ !]/);
}

/** Behind the next delimiter that is neither escaped nor inside brackets. GNU and BSD differ about brackets, so both readings must agree. */
function partEnd(script: string, start: number, delimiter: string): number | undefined {
  for (let i = start; i < script.length; i++) {
    const character = script.charAt(i);
    if (character === '\\') i++;
    else if (character === delimiter) return /\[[^\]]*$/.test(script.slice(start, i)) ? undefined : i + 1;
  }
  return undefined;
}

function skip(script: string, start: number, what: RegExp): number {
  let at = start;
  while (at < script.length && what.test(script.charAt(at))) at++;
  return at;
}

const separated = (script: string, at: number): number | undefined => (at >= script.length || /[\s;}]/.test(script.charAt(at)) ? at : undefined);
