const begun = Date.now();

/** Progress goes to stderr: stdout belongs to the command's answer. */
export function log(message) {
  process.stderr.write(`[setup +${((Date.now() - begun) / 1000).toFixed(1)}s] ${message}\n`);
}
