/** Bounds on everything that comes from outside. Whatever is larger is refused before it is parsed. */
export const bounds = {
  bodyBytes: 256 * 1024,
  jsonDepth: 32,
  jsonNodes: 20_000,
  stringLength: 128 * 1024,
  nameLength: 200,
  requestText: 32 * 1024,
  reasonText: 4 * 1024,
  outputBytes: 192 * 1024,
  attributesPerCall: 100,
  actionsPerBatch: 50,
  dependsOn: 20,
  policyBytes: 4 * 1024 * 1024,
  policyRules: 10_000,
  sessionDepth: 8,
  longPollSeconds: 60,
  /** Held, deferred and permitted together. */
  actionLifeSeconds: 24 * 60 * 60,
} as const;
