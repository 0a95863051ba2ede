import { idPrefixes, isId, type ActionId, type IdKind, type IdOf, type SessionId } from '@/lib/shared/ids';

export const actionId = (n: number): ActionId => numbered('action', n);
export const sessionId = (n: number): SessionId => numbered('session', n);

function numbered<Kind extends IdKind>(kind: Kind, n: number): IdOf<Kind> {
  const id = `${idPrefixes[kind]}_${String(n).padStart(20, '0')}`;
  if (!isId(kind, id)) throw new Error(`${id} is no id.`);
  return id;
}
