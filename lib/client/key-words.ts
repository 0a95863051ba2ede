/** Kinds of key as a person reads them. */
const words: Readonly<Record<string, string>> = { 'browser-ed25519': 'browser key', passkey: 'passkey', 'file-ed25519': 'file key' };

export const keyWords = (kind: string): string => words[kind] ?? kind;
