const grammar = /^-?(?:0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE][+-]?[0-9]+)?$/;

/**
 * The double that a JSON number token stands for, or undefined when the token is none or a double does not hold it:
 * beyond ±(2^53−1) neighbouring integers collapse, over 17 significant digits neighbouring fractions do, and a
 * number that is not zero must not become zero. Minus zero is zero.
 */
export function exactNumber(token: string): number | undefined {
  // The exponent of a number that passes is short; a longer token is only digits that would be lost.
  if (token.length > 400 || !grammar.test(token)) return undefined;
  const mantissa = token.replace(/[eE].*$/, '').replace(/[-.]/g, '');
  const significant = mantissa.replace(/^0+/, '').replace(/0+$/, '');
  if (significant.length > 17) return undefined;
  const value = Number(token);
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return undefined;
  if (value === 0) return significant === '' ? 0 : undefined;
  return value;
}
