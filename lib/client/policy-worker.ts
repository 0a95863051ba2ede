import { PolicyDesk } from './policy-desk';
import type { FromDesk, ToDesk } from './policy-desk-messages';

const desk = new PolicyDesk();
const tell = (message: FromDesk): void => self.postMessage(message);

self.addEventListener('message', ({ data: { ask, request } }: MessageEvent<ToDesk>) => {
  try {
    tell({ ask, answer: desk.answer(request) });
  } catch (error) {
    tell({ ask, fault: error instanceof Error ? error.message : String(error) });
  }
});
