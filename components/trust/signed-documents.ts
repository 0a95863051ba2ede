import type { SigningKey } from '@/lib/client/key-from-file';
import { signHere } from '@/lib/client/sign-here';
import { signDocument } from '@/lib/client/sign-document';
import type { DocumentOfChange } from '@/lib/contracts/console/trust';

const documents = ['trust_root', 'roster', 'policy', 'policy_revision'] as const;
type DocumentName = (typeof documents)[number];
/** What is signed with a change of the root; under a recovery the root itself is signed already. */
type ToSign = { readonly [Name in DocumentName]?: DocumentOfChange | null };

/** Those of the documents that this key's signature would count on. */
export const signableNames = (prepared: ToSign, keyId: string): readonly DocumentName[] =>
  documents.filter((name) => prepared[name]?.may_sign.some(({ keys }) => keys.includes(keyId)) === true);

/** Keys of this person whose signature would count on any of them. */
export const keysThatCount = (prepared: ToSign, person: string): readonly string[] =>
  documents.flatMap((name) => prepared[name]?.may_sign.filter((one) => one.person === person).flatMap(({ keys }) => keys) ?? []);

/** An envelope for each of them, over exactly the texts that were shown. */
export async function signedDocuments(prepared: ToSign, key: SigningKey): Promise<{ readonly [Name in DocumentName]?: string }> {
  return await signHere(key, async (signer) => {
    const signed: { [Name in DocumentName]?: string } = {};
    for (const name of signableNames(prepared, key.entry.id)) {
      const one = prepared[name];
      if (one) signed[name] = await signDocument(one.document, signer);
    }
    return signed;
  });
}
