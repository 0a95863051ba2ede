import 'next-auth';
import 'next-auth/jwt';

declare module 'next-auth' {
  interface Session {
    /** Id of the person whose session this is; left out when the session no longer counts. */
    person?: string;
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
