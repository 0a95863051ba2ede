/** The verifier in a thread of its own. The bundler finds the worker by this exact form, so the address cannot be a variable. */
export const startVerifyWorker = (): Worker => new Worker(new URL('./verify-worker.ts', import.meta.url), { type: 'module' });
