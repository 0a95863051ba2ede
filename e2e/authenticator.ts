import type { Page } from '@playwright/test';

export type AuthenticatorOptions = {
  /** Whether it makes sure who uses it, as a fingerprint would. */
  readonly verifiesUser?: boolean;
  /** The one algorithm it is asked for; both, when left out, which gives ES256. */
  readonly algorithm?: 'ES256' | 'EdDSA';
};

export type Authenticator = { readonly signatures: () => Promise<number> };

/** An authenticator built into the device of this page, as Chromium's devtools have it. It answers by itself. */
export async function addAuthenticator(page: Page, { verifiesUser = true, algorithm }: AuthenticatorOptions = {}): Promise<Authenticator> {
  if (algorithm !== undefined) await page.addInitScript(onlyAlgorithm, algorithm === 'ES256' ? -7 : -8);
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2', ctap2Version: 'ctap2_1', transport: 'internal', hasResidentKey: true, hasUserVerification: true,
      isUserVerified: verifiesUser, automaticPresenceSimulation: true,
    },
  });
  return {
    signatures: async () => {
      const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId });
      return credentials.reduce((sum, { signCount }) => sum + signCount, 0);
    },
  };
}

/** Runs in the page: an authenticator that knows one algorithm only would answer just so. */
function onlyAlgorithm(wanted: number): void {
  const create = navigator.credentials.create.bind(navigator.credentials);
  navigator.credentials.create = (options) => {
    const publicKey = options?.publicKey;
    if (publicKey) publicKey.pubKeyCredParams = publicKey.pubKeyCredParams.filter(({ alg }) => alg === wanted);
    return create(options);
  };
}
