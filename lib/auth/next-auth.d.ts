import 'next-auth';
import 'next-auth/jwt';

declare module 'next-auth' {
  interface Session {
    /** What the cookie claims; `livePerson` says whether it still counts. */
    person?: string;
    signed_in_at?: string;
  }
  interface User {
    id: string;
    signed_in_at: string;
  }
}

declare module 'next-auth/jwt' {
  interface JWT {
    person?: string;
    /** By the database's clock. A sign-out everywhere after it ends the session. */
    signed_in_at?: string;
  }
}
