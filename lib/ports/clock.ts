/** The host's clock: ISO 8601, UTC, milliseconds. Validity is judged by the database's clock; this one dates documents. */
export type Clock = { readonly now: () => string };
