/**
 * A P-256 signature as DER (SEQUENCE of two INTEGERs, RFC 3279, section 2.2.3) to its 64 raw bytes, r then s. Strict: lengths exact,
 * integers positive, without a needless leading zero, not zero, nothing behind the end. Undefined otherwise.
 */
export function rawEcdsaSignature(der: Uint8Array): Uint8Array | undefined {
  if (der[0] !== 0x30 || der[1] !== der.length - 2) return undefined;
  const raw = new Uint8Array(64);
  let at = 2;
  for (const end of [32, 64]) {
    const length = der[at + 1] ?? 0;
    const first = der[at + 2] ?? 0;
    const number = der.subarray(at + 2, at + 2 + length);
    if (der[at] !== 0x02 || length === 0 || number.length !== length || first > 0x7f) return undefined;
    const padded = first === 0;
    if (padded && (number[1] ?? 0) <= 0x7f) return undefined;
    const digits = padded ? number.subarray(1) : number;
    if (digits.length > 32) return undefined;
    raw.set(digits, end - digits.length);
    at += 2 + length;
  }
  return at === der.length ? raw : undefined;
}
