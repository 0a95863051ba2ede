import type { Inspection } from './inspection';

/** Shapes of commands that hardly ever have an honest reason. What they run is the policy's matter; these are known tricks. */
const tricks: readonly { readonly pattern: RegExp; readonly verdict: 'hold' | 'block'; readonly detail: string }[] = [
  { pattern: /\/dev\/(?:tcp|udp)\//, verdict: 'block', detail: 'It opens a connection from the shell itself.' },
  { pattern: /\bn(?:c|cat|etcat)\b[^\n|;&]{0,200}\s-[a-z]*[ec]\b/, verdict: 'block', detail: 'It gives a shell to a connection.' },
  { pattern: /\b(?:curl|wget|fetch)\b[^\n;&]{0,2000}\|\s{0,8}(?:sudo\s{1,8})?(?:ba|da|z|k)?sh\b/, verdict: 'hold', detail: 'It runs what it downloads.' },
  { pattern: /\bbase64\b[^\n;&|]{0,200}(?:-d|-D|--decode)[^\n;&]{0,200}\|\s{0,8}(?:sudo\s{1,8})?(?:(?:ba|da|z|k)?sh|python[0-9.]{0,4}|perl|node)\b/, verdict: 'block', detail: 'It runs a text that it decodes.' },
  { pattern: /:\(\)\s{0,4}\{[^}]{0,40}:\s{0,4}\|\s{0,4}:/, verdict: 'block', detail: 'It multiplies itself without end.' },
];

export function inspectCommand(command: string): Inspection {
  const trick = tricks.find(({ pattern }) => pattern.test(command.slice(0, 16_384)));
  return trick && { guard: 'shell-injection', verdict: trick.verdict, detail: trick.detail };
}
