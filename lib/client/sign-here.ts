import { ReadFault } from './parse-answer';

/** Signs with a key of this browser. What goes wrong here never reached the server, and must not read as if that had kept silent: throws a `ReadFault`. */
export async function signHere<Envelope>(sign: () => Promise<Envelope>): Promise<Envelope> {
  try {
    return await sign();
  } catch (cause) {
    if (cause instanceof ReadFault) throw cause;
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new ReadFault({ code: 'internal', title: 'This browser could not sign', detail: `Its key could not be used: ${said}`, fix: 'Load the page anew. If it stays so, enrol a new key under Settings.', issues: [] });
  }
}
