export type PlaneAnswer = { readonly status: number; readonly body: unknown };

/** One call of the plane with one bearer token, or without any. */
export async function callPlane(plane: string, token: string | null, method: string, path: string, body?: object): Promise<PlaneAnswer> {
  const response = await fetch(plane + path, {
    method,
    headers: { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text };
}

/** Code of a refusal; undefined when the call was not refused. */
export const codeOf = ({ body }: PlaneAnswer): string | undefined => (body as { readonly error?: { readonly code: string } }).error?.code;
