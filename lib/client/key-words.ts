/** Kinds of key as a person reads them. */
const words: Readonly<Record<string, string>> = { 'browser-ed25519': 'browser key', passkey: 'passkey', 'file-ed25519': 'file key' };

export const keyWords = (kind: string): string => words[kind] ?? kind;

const times: readonly string[] = ['', '', 'twice'];

/** How often a key asks its person while this many documents get signed; empty for one that asks once, or never. */
export const askingWords = (kind: string, signatures: number): string =>
  kind === 'passkey' && signatures > 1 ? `It asks you ${times[signatures] ?? `${String(signatures)} times`}, once for each document.` : '';
