/** Where a private key lives, in words. */
export const kindWords: Readonly<Record<string, string>> = { 'browser-ed25519': 'Browser key', passkey: 'Passkey', 'file-ed25519': 'Key file' };
