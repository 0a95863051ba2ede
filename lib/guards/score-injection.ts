import { longestRead } from './span';

/** Signs that a text which was only to be read speaks to the agent. Weights in thousandths; every pattern is linear. */
const signs: readonly { readonly weight: number; readonly pattern: RegExp }[] = [
  { weight: 800, pattern: /\b(?:ignore|disregard|forget|override) (?:all |any |the |your |these |those |every )?(?:of )?(?:the |your )?(?:previous|prior|above|earlier|preceding|other|existing|original|system)? ?(?:instructions?|directions?|prompts?|rules|guidelines|orders|tasks?)\b/ },
  { weight: 700, pattern: /\b(?:do not|don't|never|without) (?:tell|inform|mention|notify|alert|telling|informing|mentioning|notifying|alerting)\b[^.\n]{0,40}\b(?:user|human|owner|anyone|person)\b/ },
  { weight: 600, pattern: /\b(?:before|after|instead of|in order to)\b[^.\n]{0,60}\b(?:solv|complet|finish|continu|perform|answer)[a-z]{0,5}\b[^.\n]{0,40}\b(?:task|request|question|instructions?)\b/ },
  { weight: 600, pattern: /\b(?:new|updated|real|actual|important|urgent|special|additional) (?:system )?(?:instructions?|prompt|directive|task)\b ?(?:for you|from|:)/ },
  { weight: 600, pattern: /<\/?(?:system|information|instructions?|important|assistant|admin|override|prompt)>|\[\/?(?:inst|system)\]|<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|^#{2,4} ?(?:system|instruction)s?\b/m },
  { weight: 500, pattern: /\b(?:message|note|instruction|reminder)s? (?:from|to|for) (?:me|you|the)?[^.\n]{0,40}\b(?:gpt|claude|chatgpt|llm|ai (?:assistant|agent|model)|language model|assistant|the agent)\b/ },
  { weight: 500, pattern: /\b(?:attention|hello|hi|dear|hey) (?:ai|llm|gpt|claude|chatgpt|assistant|agent|model)\b|\byou are (?:now |actually |really )?(?:an? |in )?(?:ai|llm|gpt|unrestricted|developer mode|dan\b)/ },
  { weight: 400, pattern: /\b(?:you must|you should|you need to|you have to|make sure to|please) (?:now |immediately |also |first )?(?:call|use|invoke|execute|run) (?:the |this |your )?[a-z_]{2,40}(?: ?\([^)\n]{0,60}\))?(?: tool| function| command)\b/ },
  { weight: 400, pattern: /\b(?:please )?(?:do|perform|execute|follow|complete) (?:the )?following (?:first|instead|now|steps|instructions|actions)\b/ },
  { weight: 700, pattern: /(?:これまで|以前|上記|今まで|すべて|前)の(?:すべての)?(?:指示|命令|ルール|プロンプト)(?:を|は)(?:すべて)?(?:無視|忘れ|破棄)/ },
  { weight: 600, pattern: /(?:ユーザー|利用者|人間)(?:に|には)(?:知らせ|伝え|報告し|教え)(?:ない|ず|るな)/ },
  // Tag characters spell text that nobody sees.
  { weight: 900, pattern: /[\u{e0020}-\u{e007e}]{4}/u },
];

/**
 * How much a text looks like instructions to the agent: 0 to 1000 thousandths. Independent signs add up as chances do,
 * so a second weak sign raises a first one and nothing passes 1000.
 */
export function scoreInjection(text: string): number {
  const read = text.slice(0, longestRead).normalize('NFKC').replace(/[\u200b-\u200f\u2060\ufeff\u00ad]/g, '').replace(/[ \t]+/g, ' ').toLowerCase();
  let clean = 1000;
  for (const { weight, pattern } of signs) if (pattern.test(read)) clean = Math.floor((clean * (1000 - weight)) / 1000);
  return 1000 - clean;
}
