import { rm, writeFile } from 'node:fs/promises';

import type { Call, Reply } from '../call';

type Answer = Extract<Call, { call: 'supply'; do: 'answer' }>['answer'];

/** Everywhere that a case lets something go to. */
const everywhere = 'example\n';

/** The plane's own second decision point, a list of places that nothing may go to, brought to answer as a case says. */
export function secondPointOfPlane(list: string | null) {
  return {
    answers: async (answer: Answer): Promise<Reply> => {
      if (list === null || answer === 'indeterminate') return { unsupported: 'a second decision point that answers so' };
      // A list that is gone is a fault of the point.
      if (answer === 'fault') await rm(list);
      else await writeFile(list, answer === 'deny' ? everywhere : '');
      return {};
    },
    /** As it was before the first case. */
    reset: async (): Promise<void> => {
      if (list !== null) await writeFile(list, '');
    },
  };
}
