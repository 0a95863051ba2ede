import type { LedgerBuilder } from './ledger-builder';
import { allowedAction, beginStory, decided, storyRoot, storyRoster } from './ledger-story';

/** What breaks out of HTML, of scripts, of comments and of lines, wherever it is let; each would leave `hacked` behind. */
export const hostileTexts = [
  '</script><script>window.hacked = 1</script>', '<!-- <script>', '"><img src=x onerror="window.hacked = 1">', "'&lt;b&gt;", 'a\u2028b', '\u202Egnp.exe', 'a\u0000b', '</main><base href=//evil.example>',
] as const;

/** A log whose agents, tools, people and reasons are called like that; everything in it is really signed. */
export async function hostileLedger(): Promise<LedgerBuilder> {
  const people = storyRoster.people.map((person, at) => (at === 1 ? { ...person, name: hostileTexts[0] } : person));
  const ledger = await beginStory(storyRoot, { ...storyRoster, people });
  await allowedAction(ledger, 1, 1);
  for (const [at, text] of hostileTexts.entries()) {
    const { permit: _permit, ...denied } = decided(ledger, 10 + at, 3, { decision: 'DENY', state: 'denied', code: 'denied_by_default', tool: text, operation: text, reason: text });
    await ledger.append('action_decided', { ...denied, identity: { ...denied.identity, agent: text, human: text } });
  }
  await ledger.checkpoint();
  return ledger;
}
