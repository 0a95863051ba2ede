import type { JsonObject } from '@/lib/shared/json';

/** A tool as its makers describe it to agents: nothing of it says what it does to the world. */
export type GivenTool = {
  /** Null: a tool of every suite. */
  readonly suite: string | null;
  readonly name: string;
  readonly description: string;
  /** Null: nobody said which parameters it takes. */
  readonly parameters: { readonly properties: Readonly<Record<string, JsonObject>>; readonly required: readonly string[]; readonly closed: boolean } | null;
};
