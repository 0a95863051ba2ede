/** Names of the signals that contexts are measured by: what a rule on `risk_signals` may read. */
export const signalNames = [
  'verb_alignment', 'object_alignment', 'provenance', 'recipient_origin', 'target_origin', 'url_origin', 'amount_origin', 'secret_origin', 'content_origin',
  'links', 'echo', 'choice', 'tie', 'ownership', 'recipient', 'volume', 'injection', 'scope', 'label_escalation', 'velocity', 'sequence', 'semantic_distance',
] as const;
