import type { Json, JsonObject } from '@/lib/shared/json';

/** Whether policy added the argument. A change says null both for what was absent and for a null that the agent wrote. */
export const isNewValue = (written: JsonObject, { path, from }: { readonly path: string; readonly from: Json }): boolean =>
  from === null && !path.includes('.') && !path.includes('[') && !Object.hasOwn(written, path);
