/**
 * One way in which a text that was only to be read speaks to the agent. Weights in thousandths; every pattern is linear. `near`: words of which
 * one is in everything that the pattern matches, so that only their surroundings are looked at.
 */
export type InjectionSign = { readonly weight: number; readonly near?: readonly string[]; readonly pattern: RegExp };

/** Signs in English, over text that is lower case and has single blanks. */
const english: readonly InjectionSign[] = [
  { weight: 800, near: ['ignore', 'disregard', 'forget', 'override', 'bypass', 'skip'], pattern: /\b(?:ignore|disregard|forget|override|bypass|skip) (?:about )?(?:all|any|every|everything|the|your|my|these|those)? ?(?:of )?(?:the |your |my )?(?:all |your |my |previous |prior |above |earlier |preceding |other |existing |original |initial |system |former |past )(?:system )?(?:instructions?|directions?|directives?|prompts?|guidelines|guardrails|restrictions|orders|rules|tasks?|programming|training|safety measures)\b/ },
  { weight: 700, near: ['ignore', 'disregard', 'forget', 'override'], pattern: /\b(?:ignore|disregard|forget|override) (?:everything|anything|what|all)(?: that)? (?:you (?:were|have been|are|'ve been) (?:told|asked|instructed|given)|(?:was |is |written |said )?(?:above|before(?: this)?))\b/ },
  { weight: 700, near: ['user', 'human', 'owner', 'operator', 'anyone', 'anybody', 'person'], pattern: /\b(?:do not|don't|never|without) (?:tell|inform|mention|notify|alert|warn|telling|informing|mentioning|notifying|alerting|warning)\b[^.\n]{0,40}\b(?:user|human|owner|operator|anyone|anybody|person)\b/ },
  { weight: 600, near: ['before', 'after', 'instead of'], pattern: /\b(?:before|after|instead of)\b[^.\n]{0,60}\b(?:solv|complet|finish|continu|perform|answer)[a-z]{0,5}\b[^.\n]{0,40}\b(?:task|request|question|instructions?)\b/ },
  { weight: 600, near: ['instruction', 'prompt', 'directive', 'task', 'override', 'mode', 'command', 'message', 'notice'], pattern: /\b(?:new|updated|real|actual|important|urgent|special|additional|following|hidden|secret) (?:system )?(?:instructions?|prompt|directive|task) ?(?:for you|from|:)|\b(?:admin|administrator|system|developer|root) (?:override|mode|command|message|notice) ?:/ },
  { weight: 600, pattern: /<\/?(?:system|information|instructions?|important|assistant|admin|override|prompt|user_query|tool_call|function_call)>|\[\/?(?:inst|system|admin|instructions?)\]|<\|(?:im_start|im_end|system|user|assistant|endoftext|begin_of_text|eot_id|start_header_id)\|>|^#{2,4} ?(?:system|instruction|assistant)s? ?:?$|<<sys>>/m },
  { weight: 500, pattern: /^(?:["'*> -]{0,4})(?:system|assistant|developer) ?: ?(?:you|ignore|from now|the user|please|send|call|stop|new)\b/m },
  { weight: 500, near: ['message', 'note', 'reminder', 'notice'], pattern: /\b(?:message|note|reminder|notice)s? (?:from|to|for) (?:me|you|all|any)\b[^.\n]{0,40}\b(?:gpt|claude|gemini|copilot|chatgpt|llm|ai (?:assistant|agent|model|system)s?|language models?|assistants?|agents?)\b/ },
  { weight: 500, near: ['ai', 'llm', 'gpt', 'claude', 'gemini', 'copilot', 'assistant', 'agent', 'model', 'bot', 'automated'], pattern: /\b(?:attention|hello|hi|dear|hey|note to|listen) ?,? ?(?:the |any |all )?(?:ai|llms?|gpt|claude|gemini|copilot|chatgpt|assistants?|agents?|language models?|chatbots?|bots?)\b(?! (?:summit|conference|team|news))|\bif you(?:'re| are) (?:an? )?(?:ai|llm|language model|assistant|agent|bot|automated)\b/ },
  { weight: 500, near: ['you are', 'mode', 'act as', 'pretend'], pattern: /\byou are (?:now |actually |really |no longer )(?:an? |in |bound )?[a-z]|\b(?:enter|enable|activate|switch to) (?:developer|debug|god|dan|unrestricted|jailbreak|maintenance|admin) mode\b|\bact as (?:if you (?:are|were)|an? unrestricted|dan)\b|\bpretend (?:that )?(?:you are|to be) (?:an?|the)\b/ },
  { weight: 400, near: ['tool', 'function', 'command'], pattern: /\b(?:you must|you should|you need to|you have to|you are required to|make sure to|please|immediately|now) (?:now |immediately |also |first |then )?(?:call|use|invoke|execute|run) (?:the |this |your )?[a-z_]{2,40}(?: ?\([^)\n]{0,60}\))?(?: tool| function| command)\b/ },
  { weight: 400, near: ['following'], pattern: /\b(?:please )?(?:do|perform|execute|follow|complete|carry out) (?:the |these )?following (?:first|instead|now|steps|instructions|actions|commands?)\b/ },
  { weight: 500, near: ['system prompt', 'system message', 'instructions', 'prompt above', 'api key', 'credential', 'secret key'], pattern: /\b(?:reveal|print|repeat|show|output|leak|disclose|send|share) (?:me |us )?(?:all (?:of )?)?(?:your|the) (?:full |entire |whole |hidden |initial |original )?(?:system prompt|system message|initial instructions|instructions above|prompt above|api keys?|credentials|secret keys?)\b/ },
  { weight: 400, near: ['to http', '@', 'to the following'], pattern: /\b(?:send|forward|email|post|upload|transmit|exfiltrate|copy|bcc|transfer|wire)\b[^.\n]{0,80}\b(?:all|every|entire|contents?|passwords?|credentials|tokens?|keys?|conversation|history|inbox|data|money|funds)\b[^.\n]{0,60}\bto (?:https?:\/\/|[a-z0-9._-]{1,64}@|the following)/ },
  { weight: 400, near: ['developer', 'creator', 'administrator', 'openai', 'anthropic', 'security team', 'supervisor'], pattern: /\b(?:this is|i am|i'm) (?:your |the |a )?(?:developer|creator|administrator|system administrator|openai|anthropic|security team|supervisor)\b[^.\n]{0,60}\b(?:must|need|order|require|authori[sz]e|instruct|grant)/ },
  { weight: 400, near: ['confirmation', 'approval', 'permission', 'verification', 'authorization', 'authorisation', 'asking'], pattern: /\b(?:no|without|skip|needs? no) (?:further |user |human |any )?(?:confirmation|approval|permission|verification|authori[sz]ation)(?: is)?(?: needed| required| necessary)?\b[^\n]{0,80}\b(?:call|run|execute|send|delete|transfer|tool|proceed)\b|\b(?:call|run|execute|send|delete|transfer|proceed)\b[^.\n]{0,60}\bwithout (?:any |further |user |human )?(?:confirmation|approval|permission|verification|asking)\b/ },
  { weight: 300, near: ['!['], pattern: /!\[[^\]\n]{0,80}\]\(https?:\/\/[^)\s]{1,300}[?&][a-z_]{1,30}=(?:\{|\[|%7b|<|\$)/ },
  { weight: 500, near: ['<!--', 'display', 'font-size', 'visibility', 'color'], pattern: /<!--[^>]{0,400}\b(?:ignore (?:all|any|the|your|previous|prior)|instructions?|assistant|you must|call the)\b|\b(?:display ?: ?none|font-size ?: ?0|visibility ?: ?hidden|color ?: ?(?:white|#fff))[^>]{0,80}>[^<]{0,300}\b(?:ignore|instructions?|you must|assistant)\b/ },
];

/** The same two or three things, said elsewhere: forget what you were told; do not tell the user; these are new orders. */
const others: readonly InjectionSign[] = [
  // Japanese
  { weight: 700, pattern: /(?:これまで|以前|上記|今まで|すべて|全て|先ほど|前|元|あなた|システム)の(?:すべての|全ての)?(?:指示|命令|ルール|プロンプト|指令|制約|設定)(?:を|は)(?:すべて|全て|一切)?(?:無視|忘れ|破棄|無効|上書き)/ },
  { weight: 600, pattern: /(?:ユーザー|利用者|人間|本人|管理者)(?:に|には|へ)(?:は)?(?:知らせ|伝え|報告し|教え|通知し|言わ|確認し|確認せ)(?:ない|ず|るな|なく)/ },
  { weight: 500, pattern: /(?:新しい|重要な|緊急の|追加の|隠された|本当の)(?:システム)?(?:指示|命令|タスク|プロンプト)(?::|は次|です|を実行|に従)|(?:次|以下)の(?:指示|命令|手順)(?:に従っ|を(?:必ず|直ちに|すぐに|先に)?実行)/ },
  { weight: 500, pattern: /(?:ai|エージェント|アシスタント|言語モデル)(?:へ|宛|の皆|に告|への(?:指示|命令|メッセージ))|あなたは(?:今から|これから|もう)/ },
  { weight: 400, pattern: /(?:確認|承認|許可)(?:なし|無し|を求めず|を取らず|せず)(?:に|で)[^。\n]{0,30}(?:送信|送金|実行|削除|転送|呼び出)/ },
  // Chinese
  { weight: 700, pattern: /(?:忽略|无视|無視|忘记|忘記|忘掉|不要理会|不要理會|覆盖|覆蓋)(?:掉)?(?:之前|以前|上面|上述|先前|此前|所有|全部|前面|你的|您的|系统|系統)[^。\n]{0,8}(?:指令|指示|命令|规则|規則|提示|要求|设定|設定)/ },
  { weight: 600, pattern: /(?:不要|别|別|切勿|请勿|請勿)(?:告诉|告訴|通知|告知|提醒|询问|詢問)(?:用户|用戶|使用者|主人|任何人)/ },
  // Korean
  { weight: 700, pattern: /(?:이전|위의?|앞선|기존|모든|지금까지의?)[^.\n]{0,10}(?:지시|명령|지침|규칙|프롬프트)[^.\n]{0,6}(?:무시|잊|따르지)/ },
  { weight: 600, pattern: /(?:사용자|유저|주인)에게[^.\n]{0,12}(?:알리지|말하지|보고하지|묻지)/ },
  // Spanish, Portuguese, Italian
  { weight: 700, near: ['instru', 'istruzi', 'indica', 'órden', 'orden', 'ordini', 'regla', 'regra', 'regole'], pattern: /\b(?:ignora|ignore|ignorar|ignorad|olvida|olvide|olvidar|esquece|esqueça|descarta|descarte|desconsidere|dimentica|trascura)\b[^.\n]{0,30}\b(?:instrucciones|instruções|istruzioni|indicaciones|indicazioni|órdenes|ordens|ordini|reglas|regras|regole)\b/ },
  { weight: 600, near: ['usuari', 'utente', 'nadie', 'ninguém', 'nessuno'], pattern: /\b(?:no le digas|no informes|no avises|não (?:conte|informe|avise|diga)|non (?:dire|informare|avvisare|dirlo))\b[^.\n]{0,20}\b(?:usuario|usuária|usuário|utente|nadie|ninguém|nessuno)\b/ },
  // French
  { weight: 700, near: ['instructions', 'consignes', 'directives', 'règles', 'ordres'], pattern: /\b(?:ignore[zr]?|(?<!n['’])oublie[zr]?|ne tiens pas compte|ne tenez pas compte)\b[^.\n]{0,30}\b(?:instructions|consignes|directives|règles|ordres)\b[^.\n]{0,20}\b(?:précédentes?|ci-dessus|antérieures?|précédents?|du système|initiales)\b/ },
  { weight: 600, near: ['utilisat'], pattern: /\bn(?:e|')\s?(?:le |la |en )?(?:dis|dites|informe|informez|parle|parlez|préviens|prévenez|avertis|avertissez)\b[^.\n]{0,20}\b(?:pas|rien)\b[^.\n]{0,20}\butilisat(?:eur|rice)\b/ },
  // German, Dutch
  { weight: 700, near: ['anweisung', 'instrukt', 'vorgaben', 'regeln', 'befehle', 'anleitung', 'instructies', 'opdrachten'], pattern: /\b(?:ignorier(?:e|en sie|t)|vergiss(?! nicht)|vergessen sie|missachte|missachten sie|negeer|vergeet)\b[^.\n]{0,40}\b(?:anweisungen|instruktionen|vorgaben|regeln|befehle|anleitungen|instructies|opdrachten)\b/ },
  { weight: 600, near: ['nutzer', 'anwender', 'niemand'], pattern: /\b(?:sag|sagen sie|informier(?:e|en sie)?|verrate|benachrichtig(?:e|en sie)?)\b[^.\n]{0,30}\b(?:benutzer|nutzer|anwender|niemand(?:em)?)\b[^.\n]{0,30}\b(?:nicht|nichts|davon)\b/ },
  // Russian, Ukrainian, Polish, Turkish
  { weight: 700, near: ['инструкци', 'указани', 'правил', 'команд', 'інструкці', 'вказівк'], pattern: /(?:игнорируй(?:те)?|проигнорируй(?:те)?|(?<!не )забудь(?:те)?|ігноруй(?:те)?|не обращай(?:те)? внимания на)[^.\n]{0,40}(?:инструкци|указани|правил|команд|інструкці|вказівк)/ },
  { weight: 600, near: ['пользовател', 'никому'], pattern: /не (?:говори|сообщай|рассказывай|уведомляй)(?:те)?[^.\n]{0,20}(?:пользовател|никому)/ },
  { weight: 700, near: ['instrukcj', 'polece', 'zasad', 'talimat', 'komut', 'kural'], pattern: /\b(?:zignoruj|ignoruj|zapomnij)\b[^.\n]{0,40}(?:instrukcj|polece|zasad)|(?:önceki|yukarıdaki)[^.\n]{0,20}(?:talimat|komut|kural)[^.\n]{0,15}(?:yok ?say|unut|görmezden)/ },
  // Arabic, Hindi
  { weight: 700, pattern: /(?:تجاهل|انس|اهمل)[^.\n]{0,20}(?:التعليمات|الأوامر|القواعد)|(?:पिछले|पहले के|ऊपर के|सभी)[^.\n]{0,20}(?:निर्देश|आदेश|नियम)[^.\n]{0,20}(?:अनदेखा|नज़रअंदाज़|भूल)/ },
];

/** Tag characters spell text that nobody sees. */
const unseen: InjectionSign = { weight: 900, pattern: /[\u{e0020}-\u{e007e}]{4}/u };

export const injectionSigns: readonly InjectionSign[] = [...english, ...others, unseen];
