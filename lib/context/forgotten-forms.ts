/** 2 MiB for a session that has more than fits: three million forms with about one false finding in fourteen. */
const bits = 1 << 24;
const probes = 3;

/**
 * Remembers that a form was seen somewhere untrusted without keeping it (a Bloom filter): it may take a form for seen that was not,
 * never the other way round, so what is forgotten only loses trust. The same forms give the same answers everywhere.
 */
export class ForgottenForms {
  private constructor(private readonly words: Uint32Array) {}

  static empty(): ForgottenForms {
    return new ForgottenForms(new Uint32Array(bits / 32));
  }

  copy(): ForgottenForms {
    return new ForgottenForms(this.words.slice());
  }

  add(form: string): void {
    for (const at of placesOf(form)) this.words[at >>> 5] = (this.words[at >>> 5] ?? 0) | (1 << (at & 31));
  }

  mayHave(form: string): boolean {
    return placesOf(form).every((at) => ((this.words[at >>> 5] ?? 0) & (1 << (at & 31))) !== 0);
  }
}

/** Where a form stands in a filter: two FNV-1a hashes of the code units, from different offsets, give all the probes. */
export function placesOf(form: string): readonly number[] {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  for (let i = 0; i < form.length; i++) {
    const code = form.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x01000193) ^ (b >>> 15);
  }
  a ^= a >>> 16;
  b = (b ^ (b >>> 13)) | 1;
  return Array.from({ length: probes }, (_, i) => (Math.imul(b, i + 1) + a) & (bits - 1));
}
