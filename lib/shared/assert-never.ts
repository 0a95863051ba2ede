/** Ends a `switch` over a union: the compiler objects when a case is missing, and a value from outside the types throws. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
