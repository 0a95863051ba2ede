import { z } from 'zod';

import { readIfThere } from '@/lib/server/whole-file';

import { demoAgents } from './demo-agents';
import { writePrivateFile } from './private-file';

const openAction = z.strictObject({ action: z.string(), session: z.string(), does: z.string(), agent: z.enum(demoAgents.map(({ id }) => id)) });
const document = z.strictObject({ next: z.int().min(0), open: z.array(openAction) });

export type OpenAction = z.infer<typeof openAction>;

/** What the agents were at: which scenario comes next, and which actions wait. Kept, so that a restart goes on with them. */
export type OpenWork = {
  readonly next: () => number;
  readonly open: () => readonly OpenAction[];
  readonly began: (next: number) => void;
  readonly waits: (action: OpenAction) => void;
  readonly done: (action: string) => void;
  /** Resolves when all of it is on disk. Rejects when it could not be written. */
  readonly saved: () => Promise<void>;
};

export async function keptOpenWork(file: string): Promise<OpenWork> {
  const kept = await readIfThere(file);
  const found = kept === undefined ? { next: 0, open: [] } : document.parse(JSON.parse(kept));
  let { next } = found;
  const open = new Map(found.open.map((one) => [one.action, one]));
  let writing = Promise.resolve();
  // A crash before it is written loses an action from here, never from the plane: there it expires by itself.
  const save = (): void => {
    writing = writing.then(() => writePrivateFile(file, JSON.stringify({ next, open: [...open.values()] })));
    // The failure is kept for saved(), which everybody who ends asks.
    writing.catch(() => undefined);
  };
  return {
    next: () => next,
    open: () => [...open.values()],
    began: (value) => {
      next = value;
      save();
    },
    waits: (one) => {
      if (open.has(one.action)) return;
      open.set(one.action, one);
      save();
    },
    done: (action) => {
      if (open.delete(action)) save();
    },
    saved: () => writing,
  };
}
