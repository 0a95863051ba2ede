/** A word of a command. Not literal: what it becomes depends on the machine. */
export type Argument = { readonly text: string; readonly literal: boolean };
