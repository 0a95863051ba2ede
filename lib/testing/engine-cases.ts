/**
 * How many cases the properties of the engine are tried on. The normal run always tries the same ones; the long form,
 * `npm run test:long -- --cases=100000`, tries new ones and says which seed repeats them.
 */
export const cases = Number(process.env.ENGINE_CASES ?? 5000);

export const seed = Number(process.env.ENGINE_SEED ?? 8);

/** Of every property but that specification and engine agree, which alone gets all of the cases. */
export const casesEach = Math.max(250, Math.ceil(cases / 16));

/** Pairs of policies that are compared, each over a finite space of situations. */
export const pairs = Number(process.env.POLICY_PAIRS ?? 12);
