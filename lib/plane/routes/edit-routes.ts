import { credentialKinds } from '@/lib/ports/credential-store';

import { defineRoute, type Route } from '../define-route';

const documents = ['policy', 'grants', 'roster', 'trust-root', 'settings'] as const;
const methods = ['PUT', 'PATCH', 'DELETE', 'POST'] as const;

/** No credential of the plane edits anything: every attempt is refused and leaves a receipt, and what an agent wanted becomes a proposal where it can be read. */
export const editRoutes: readonly Route[] = documents.flatMap((document) =>
  methods.map((method) =>
    defineRoute<string | undefined, never>({
      method,
      path: `/v1/${document}`,
      credential: credentialKinds,
      summary: `Refused: nobody edits the ${document} with a credential.`,
      anyBody: true,
      handler: (call, services) => services.refuseEdit(call.caller, method, `/v1/${document}`, call.body),
    }),
  ),
);
