import { lexicon, type Concept } from './lexicon';

/** How a clause takes a concept. `mentioned`: only inside quotes. */
type Stance = 'affirmed' | 'doubtful' | 'negated' | 'mentioned';

/**
 * What the requests ask for, as concepts of the lexicon. Negation and doubt are read clause by clause; a concept that is
 * asked for in one place and denied or questioned in another is in doubt, and doubt is never consent.
 */
export class IntentReader {
  private readonly stances = new Map<Concept, Set<Stance>>();
  private standing: { readonly affirmed: readonly string[]; readonly doubtful: readonly string[] } = { affirmed: [], doubtful: [] };

  read(words: string): void {
    for (const written of sentences(words)) {
      const sentence = written.replace(indirect, '$1 that');
      let condition = false;
      for (const clause of sentence.split(/(?:[,;:]?\s+(?:but|however|instead(?! of)|then|otherwise)\b|;|、(?=しかし)|ですが、?|けど、?)/i)) {
        condition ||= conditional.test(clause);
        readClause(clause, condition || isQuestion(sentence), (concept, stance) => {
          const known = this.stances.get(concept) ?? new Set<Stance>();
          this.stances.set(concept, known.add(stance));
        });
      }
    }
    this.standing = this.weigh();
  }

  /** The same intent, for a session that starts with it. */
  copy(): IntentReader {
    const copied = new IntentReader();
    for (const [concept, stances] of this.stances) copied.stances.set(concept, new Set(stances));
    copied.standing = this.standing;
    return copied;
  }

  /**
   * How one concept stands: `asked`; `conditional`, asked under a condition or as a question and nowhere denied; `contradicted`, asked
   * and denied, or only in somebody's quoted words; `none`.
   */
  standingOf(concept: Concept): 'asked' | 'conditional' | 'contradicted' | 'none' {
    const stances = this.stances.get(concept);
    if (!stances || (stances.size === 1 && stances.has('negated'))) return 'none';
    if (stances.has('negated') || (!stances.has('affirmed') && !stances.has('doubtful'))) return 'contradicted';
    return stances.has('doubtful') ? 'conditional' : 'asked';
  }

  /** All names of each concept, sorted, so that a policy may use any of them. */
  intent(): { readonly affirmed: readonly string[]; readonly doubtful: readonly string[] } {
    return this.standing;
  }

  private weigh(): { readonly affirmed: readonly string[]; readonly doubtful: readonly string[] } {
    const affirmed: string[] = [];
    const doubtful: string[] = [];
    for (const [concept, stances] of this.stances) {
      const yes = stances.has('affirmed');
      const no = stances.has('negated');
      if (no && !yes && !stances.has('doubtful')) continue;
      (yes && !no && !stances.has('doubtful') ? affirmed : doubtful).push(...concept.names);
    }
    return { affirmed: affirmed.sort(), doubtful: doubtful.sort() };
  }
}

const sentences = (words: string): readonly string[] => words.normalize('NFKC').replace(/[’‘]/g, "'").toLowerCase().split(/(?<=[.!?])(?=\s)|(?<=。)|\n/).filter((sentence) => sentence.trim() !== '');

const polite = /^\s*(?:(?:hi|hey|hello|ok|okay|so|and|please)\b[\s,]*)*(?:can|could|would|will) you\b|^\s*please\b|would you mind|くれますか|もらえますか|いただけますか|くださいますか|ください/;
const conditional = /(?:^|[\s,])(?:if|unless|whether|maybe|perhaps|might|should|consider|considering|suppose|in case|not sure|wonder|wondering|said|says|asked|asks|told|tells|wrote|according to|hypothetically)(?:\s|$|,)|もし|かもしれ|べきか|(?:なら|れば|たら)[、,]|と言っ|とのこと/;
const negator = /^(?:not|never|no|none|without|avoid|avoiding|refrain|stop|neither|nor|cannot|except|rather|instead(?! of)|dont|doesnt|wont|.+n't)$/;
const nounMarkers = new Set(['the', 'a', 'an', 'this', 'that', 'these', 'those', 'my', 'our', 'your', 'his', 'her', 'their', 'its', 'of', 'last', 'latest', 'no', 'any']);

/** What a verb is followed by, and what no verb follows: "block it", not "for block it". */
const objects = new Set('it them him her me us this that these those my our your the a an all every both two three'.split(' '));
const prepositions = new Set('for in on at by with from about into onto over under than as per via like and-or'.split(' '));

/** "Should I delete it?" asks; "Could you delete it?" asks for it. Questions for information stay what they are. */
const isQuestion = (sentence: string): boolean => /[?]\s*$|か[?。]?\s*$/.test(sentence) && !polite.test(sentence);

/** Words that are as often things as deeds: they ask for something only where a verb stands. */
const oftenNouns = new Set('email mail message order test report book plan schedule mark list answer post record transfer exchange release build return change draft view check set start fix wire grant permit summary review launch run drop clear save close charge deposit hire rent log text ping block lock raise switch bump swap increase upgrade reset comment end decline issue file request fax'.split(' '));
const beforeVerbs = new Set(['', 'please', 'and', 'or', 'then', 'to', 'you', 'also', 'just', 'now', 'let', 'me', 'us', "let's", 'not', 'never', "don't", 'i', 'we']);

function readClause(clause: string, doubt: boolean, take: (concept: Concept, stance: Stance) => void): void {
  const { own, quoted } = withoutQuotes(clause);
  const plain = withDirectVerbs(spaced(own.replace(afterCondition, '$1 then ')));
  const negatedFrom = firstNegation(plain);
  eachForm(spaced(quoted), (concept) => { take(concept, 'mentioned'); });
  eachForm(plain, (concept, form, at) => {
    if (!concept.thing && !isInformation(concept) && !isVerbAt(plain, at, form)) return;
    if (addressesTheAgent(plain, at, form)) return;
    const doubtful = doubt && !isInformation(concept) && !concept.thing;
    take(concept, doubtful ? 'doubtful' : at >= negatedFrom ? 'negated' : 'affirmed');
  });
  if (!/[^\0-\x7f]/.test(clause)) return;
  for (const concept of lexicon) {
    const doubtful = doubt && !isInformation(concept) && !concept.thing;
    for (const form of concept.japanese) {
      if (quoted.includes(form)) take(concept, 'mentioned');
      for (let at = own.indexOf(form); at >= 0; at = own.indexOf(form, at + 1)) {
        const negated = /しない|ないで|せず|するな|ずに|禁止|不要|なくて|てはいけ|てはなら|やめ/.test(own.slice(at + form.length, at + form.length + 12));
        take(concept, doubtful ? 'doubtful' : negated ? 'negated' : 'affirmed');
      }
    }
  }
}

const byFirstWord = new Map<string, { readonly concept: Concept; readonly form: string; readonly end: string }[]>();
for (const concept of lexicon) {
  for (const form of concept.english) {
    const [first = ''] = form.split(' ');
    byFirstWord.set(first, [...(byFirstWord.get(first) ?? []), { concept, form, end: `${form} ` }]);
  }
}

/** Visits each form of the lexicon in spaced words; `at` is the blank before it. Every word is looked up once, however large the lexicon. */
function eachForm(plain: string, visit: (concept: Concept, form: string, at: number) => void): void {
  for (let at = 0; at + 1 < plain.length; ) {
    const next = plain.indexOf(' ', at + 1);
    const to = next < 0 ? plain.length : next;
    for (const { concept, form, end } of byFirstWord.get(plain.slice(at + 1, to)) ?? []) if (plain.startsWith(end, at + 1)) visit(concept, form, at);
    at = to;
  }
}

const spaced = (text: string): string => ` ${(text.match(/[\p{L}\p{N}']+/gu) ?? []).join(' ')} `;

/** "Look whether it is there" asks something; nothing hangs on it. */
const indirect = /\b((?:look|see|check|checking|find out|verify|know|tell me|tell us|make sure)(?: first)?) (?:if|whether)\b/g;

/** "If it is open, book a table": what is wished for begins behind the comma. */
const afterCondition = /(\b(?:if|when|once|after|before|unless|as soon as|in case)\b[^,]{0,300}),/g;

/** "Let Ann know" and "give Ann access" are said with a name inside, and who is not to forget to send something is to send it. */
const withDirectVerbs = (plain: string): string =>
  plain.replace(/ give (?!me |us )(?:[^ ]+ ){1,6}?access(?= )/g, ' grant access').replace(/ let (?!me |us )(?:[^ ]+ ){1,8}?know(?= )/g, ' notify').replace(/ let (?!me |us )(?:[^ ]+ ){1,8}?have(?= )/g, ' send').replace(/ let (?!me |us )(?:[^ ]+ ){1,6}?into?(?= )/g, ' grant').replace(/ (?:do not|don't|never) (?:forget|hesitate|fail|omit)(?= to )/g, ' remember');

/** "Tell me", "ask me": the person wants to hear it themselves; nothing is to be sent. */
const agentsOwn = new Set(['tell', 'telling', 'ask', 'asking', 'text', 'remind', 'inform', 'notify', 'ping', 'message', 'give', 'giving']);
function addressesTheAgent(plain: string, at: number, form: string): boolean {
  return agentsOwn.has(form) && /^ (?:me|us|you|myself|if|whether|about)(?: |$)/.test(plain.slice(at + form.length + 1));
}

/** Where in the spaced words the first negation stands; everything after it is negated. */
function firstNegation(plain: string): number {
  let at = 0;
  for (const word of plain.trim().split(' ')) {
    if (negator.test(word)) return at;
    at += word.length + 1;
  }
  return Infinity;
}

/** False for "the delete button" and for "that email": a thing, not a deed. */
function isVerbAt(plain: string, at: number, form: string): boolean {
  if (form.includes(' ') || form.endsWith('ing')) return true;
  const before = at === 0 ? '' : plain.slice(plain.lastIndexOf(' ', at - 1) + 1, at);
  if (!oftenNouns.has(form)) return !nounMarkers.has(before);
  const after = /^[^ ]*/.exec(plain.slice(at + form.length + 2))?.[0] ?? '';
  return beforeVerbs.has(before) || (objects.has(after) && !nounMarkers.has(before) && !prepositions.has(before));
}

// Asking to be told something is not made doubtful by the question mark that it comes with.
const isInformation = (concept: Concept): boolean => concept.names.includes('read') || concept.names.includes('report');

/** Quoted names and passages are somebody's words about something; they ask for nothing by themselves. */
function withoutQuotes(clause: string): { readonly own: string; readonly quoted: string } {
  let quoted = '';
  const own = clause.replace(/"[^"]*"|\u201c[^\u201d]*\u201d|「[^」]*」|『[^』]*』|(?<=^|\s)'[^']*'(?=\s|$|[.,;:!?])/g, (span) => {
    quoted += ` ${span}`;
    return ' _ ';
  });
  return { own, quoted };
}
