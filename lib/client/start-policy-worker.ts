/** Policies are read and tried in a thread of its own, so that typing stays smooth. The bundler finds the worker by this exact form. */
export const startPolicyWorker = (): Worker => new Worker(new URL('./policy-worker.ts', import.meta.url), { type: 'module' });
