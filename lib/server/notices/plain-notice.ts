import type { NoticeText } from '@/lib/ports/notifier';

/** A message for people: one line that says what it is about, and what the link is called. */
export type PlainNotice = { readonly title: string; readonly call: string };

export function plainNotice(text: NoticeText): PlainNotice {
  switch (text.kind) {
    case 'held':
      return { title: `${inPlain(text.tool)}, ${text.impact} impact: held for a person until ${utc(text.expires_at)}.`, call: 'Open the request' };
    case 'escalated':
      return { title: `${inPlain(text.tool)}, ${text.impact} impact: nobody has decided yet, so others are asked too, until ${utc(text.expires_at)}.`, call: 'Open the request' };
    case 'ended':
      return { title: `${inPlain(text.tool)}, ${text.impact} impact: ${text.outcome}.`, call: 'Open the request' };
    case 'more':
      return { title: `${String(text.count)} more than are told one by one.`, call: 'Open what waits' };
    case 'test':
      return { title: 'A test: messages of Countersign arrive here.', call: 'Open the console' };
  }
}

/**
 * An agent may make up the name of a tool. It is visible ASCII without spaces and brackets, so it cannot be markup; written like this it is no
 * address either, which mail and chat programs would turn into a link.
 */
const inPlain = (tool: string): string => tool.replaceAll('.', '[.]').replaceAll('://', '[:]//');

const utc = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
