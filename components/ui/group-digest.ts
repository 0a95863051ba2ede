const prefix = /^(?:sha-?256[:\-]?)/i;

/** A digest in groups of four characters, without its algorithm prefix: the way people compare them. A shorter last group stays as it is. */
export function groupDigest(value: string): readonly string[] {
  return value.replace(prefix, '').match(/.{1,4}/gsu) ?? [];
}
