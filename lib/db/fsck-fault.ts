/** Where a log first differs from what it should be. `position` is a leaf index. */
export type LogFault = {
  readonly position: bigint;
  readonly what: 'missing' | 'changed' | 'foreign' | 'replayed' | 'columns' | 'tile' | 'checkpoint' | 'head' | 'pin' | 'context' | 'row' | 'content';
  readonly detail: string;
};

export const fault = (what: LogFault['what'], position: bigint | number, detail: string): LogFault => ({ what, position: BigInt(position), detail });
