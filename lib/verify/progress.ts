/** What takes long on a big bundle. */
export type LongStep = 'rederivation' | 'classes' | 'receipts';

/** `done` of `total`, from time to time and at the end. It may be told from code that does not pause. */
export type OnProgress = (step: LongStep, done: number, total: number) => void;

/** Steps between two reports. */
const stride = 200;

/** Reports every so many steps, so that telling costs nothing beside the work. */
export const told = (onProgress: OnProgress | undefined, step: LongStep, done: number, total: number): void => {
  if (onProgress && (done % stride === 0 || done === total)) onProgress(step, done, total);
};
