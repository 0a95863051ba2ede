import type { NextAuthOptions } from 'next-auth';
import Credentials from 'next-auth/providers/credentials';

import type { AuthParts } from './auth-parts';
import { sessionHours } from './live-person';
import { signIn } from './sign-in';
import { signOut } from './sign-out';

/** How next-auth signs people in. The cookie carries an id and a time; roles, groups and keys never come from it. */
export const authOptions = (parts: AuthParts): NextAuthOptions => ({
  session: { strategy: 'jwt', maxAge: sessionHours * 3600 },
  pages: { signIn: '/sign-in', error: '/sign-in' },
  providers: [
    Credentials({
      name: 'Password',
      credentials: { email: { label: 'E-mail', type: 'email' }, password: { label: 'Password', type: 'password' } },
      authorize: async (credentials, request) => {
        if (!credentials) return null;
        const signedIn = await signIn(parts, credentials, addressOf(request.headers)).catch((cause: unknown) => {
          parts.report(cause);
          throw new Error('unavailable');
        });
        // What is thrown here reaches the page as its error code; everything else is one and the same refusal.
        if (!signedIn.ok && signedIn.error.code === 'rate_limited') throw new Error('rate_limited');
        if (!signedIn.ok) return null;
        const { person, at } = signedIn.value;
        return { id: person.id, email: person.email, name: person.name, signed_in_at: at };
      },
    }),
  ],
  events: {
    signOut: async ({ token }) => await signOut(parts, token).catch(parts.report),
  },
  callbacks: {
    // `user` is there only at sign-in; afterwards the token renews itself and keeps when that was.
    jwt: ({ token, user }) => (user ? { person: user.id, signed_in_at: user.signed_in_at } : token),
    // Claims only. Whether they still count is asked outside: next-auth takes whatever is thrown here for a bad cookie and clears it, so
    // that a database which fails for a moment would sign people out.
    session: ({ session, token: { person, signed_in_at } }) => ({
      expires: session.expires,
      ...(person === undefined || signed_in_at === undefined ? {} : { person, signed_in_at }),
    }),
    // Only pages of this console are gone on to after signing in.
    redirect: ({ url, baseUrl }) => (url.startsWith('/') && !url.startsWith('//') ? `${baseUrl}${url}` : url.startsWith(`${baseUrl}/`) ? url : baseUrl),
  },
});

/** Next sets the header to the socket's address unless a proxy did; it only feeds the limits. */
function addressOf(headers: unknown): string {
  const forwarded: unknown = typeof headers === 'object' && headers !== null && 'x-forwarded-for' in headers ? headers['x-forwarded-for'] : undefined;
  return typeof forwarded === 'string' ? (forwarded.split(',')[0]?.trim().slice(0, 64) ?? '') : '';
}
