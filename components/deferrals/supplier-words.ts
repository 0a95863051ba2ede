/** Who may supply a fact, in words. Sources are written as the policy names them: `ip:records`, `group:finance`. */
export function supplierWords(source: string): { readonly who: string; readonly how: string } {
  const [kind = '', name = ''] = source.split(':', 2);
  switch (kind) {
    case 'requester':
      return { who: 'the person it is for', how: 'in the console, signed' };
    case 'ip':
      return { who: name, how: 'information point' };
    case 'pep':
      return { who: name, how: 'enforcement point' };
    case 'group':
      return { who: name, how: 'a person of this group' };
    case 'orchestrator':
      return name === '' ? { who: 'the orchestrator', how: 'with the user’s next words' } : { who: name, how: 'orchestrator' };
    default:
      return { who: source, how: 'named by the policy' };
  }
}
