import { stockCatalogue } from '@/lib/mediate/stock';
import { nodeSha256 } from '@/lib/server/node-sha256';

/** Everything is allowed but what leaves the house: personal data, and mail to addresses that nobody vouches for. `tools` and `rules` are further lines of YAML. */
export const housePolicy = (id: string, { tools = '', rules = '' }: { readonly tools?: string; readonly rules?: string } = {}): string => `schema: countersign/policy/v1
id: ${id}
use: stock@1 sha256:${stockCatalogue(nodeSha256).digest}
defaults: { decision: ALLOW, unclassified: INTERNAL }
directory: { internal_domains: [harbor.example] }
tools:
  - name: database.query
    trusted: true
    labels: [{ reads: customers, add: [CONFIDENTIAL, PII] }, { reads: "*", add: [INTERNAL] }]
${tools}rules:
  - id: nothing-personal-leaves
    match: { tool: email, operation: send }
    context: { data_classification: { contains: [PII] }, recipient: { external: true } }
    action: DENY
    classification: context_dependent_deny
    reason: "Personal data stays in the house."
  - id: nobody-made-up
    match: { tool: email, operation: send }
    context: { provenance: { to: { in: [untrusted_output, nowhere] } } }
    action: DENY
    classification: context_dependent_deny
    reason: "Addresses come from somewhere that can be trusted."
${rules}`;
