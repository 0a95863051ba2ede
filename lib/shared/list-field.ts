import { z } from 'zod';

/** A list of one kind of item that stops at the first wrong one: `z.array` gathers a fault for each of millions. */
export const listField = <T>(item: z.ZodType<T>, most = Number.MAX_SAFE_INTEGER): z.ZodType<T[]> =>
  z.array(z.unknown()).max(most).transform((values, context) => {
    const items: T[] = [];
    for (const [at, value] of values.entries()) {
      const read = item.safeParse(value);
      if (!read.success) {
        const [first] = read.error.issues;
        context.addIssue({ code: 'custom', message: first?.message ?? 'Expected something else.', path: [at, ...(first?.path ?? [])] });
        return z.NEVER;
      }
      items.push(read.data);
    }
    return items;
  });
