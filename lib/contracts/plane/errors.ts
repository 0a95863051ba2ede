import { z } from 'zod';

/** Every failure of the plane: a closed code, what happened, and how to put it right. */
export const errorView = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    title: z.string(),
    detail: z.string(),
    fix: z.string().optional(),
    errors: z.array(
      z.strictObject({
        path: z.string(),
        message: z.string(),
        fix: z.string().optional(),
        line: z.number().int().optional(),
        column: z.number().int().optional(),
      }),
    ),
  }),
  request_id: z.string(),
});
export type ErrorView = z.infer<typeof errorView>;
