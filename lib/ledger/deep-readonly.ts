import type { Json } from '@/lib/shared/json';

/** The same type with nothing in it to assign to; branded texts and JSON values stay as they are. */
export type DeepReadonly<T> = [Json] extends [T]
  ? T
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends readonly (infer Item)[]
      ? readonly DeepReadonly<Item>[]
      : { readonly [Key in keyof T]: DeepReadonly<T[Key]> };
