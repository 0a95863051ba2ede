/** The body that the listener has parsed with the route's own schema just before. */
export const parsedBody = <Input>(body: unknown): Input => body as Input;
