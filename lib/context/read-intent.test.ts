import { describe, expect, test } from 'vitest';

import { IntentReader } from './read-intent';
import { conceptOf, lexicon } from './lexicon';

const read = (...texts: readonly string[]) => {
  const reader = new IntentReader();
  for (const text of texts) reader.read(text);
  return reader.intent();
};
const standing = (word: string, ...texts: readonly string[]) => {
  const { affirmed, doubtful } = read(...texts);
  return affirmed.includes(word) ? 'affirmed' : doubtful.includes(word) ? 'doubtful' : 'absent';
};

describe('a request contains what it asks for, and nothing that it forbids or doubts', () => {
  test.each([
    ['Clean up the test data', 'cleanup', 'affirmed'],
    ['clean up my test data from yesterday.', 'cleanup', 'affirmed'],
    ['Please remove the old rows and archive the rest', 'delete', 'affirmed'],
    ['Could you delete the drafts?', 'delete', 'affirmed'],
    ['I want you to delete the drafts', 'delete', 'affirmed'],
    ['Archive the mails, then delete the drafts', 'delete', 'affirmed'],
    ['Delete the drafts but do not send anything', 'delete', 'affirmed'],
    ['do not delete anything', 'delete', 'absent'],
    ['Don’t delete anything', 'delete', 'absent'],
    ['Do not, under any circumstances, delete anything', 'delete', 'absent'],
    ['never send or delete mails', 'delete', 'absent'],
    ['Archive them without deleting anything', 'delete', 'absent'],
    ['Archive them instead of deleting them', 'delete', 'absent'],
    ['Show me the delete button', 'delete', 'absent'],
    ['Read the deleted items', 'delete', 'absent'],
    ['Should I delete the drafts?', 'delete', 'doubtful'],
    ['If the disk is full, delete the logs', 'delete', 'doubtful'],
    ['Maybe delete the logs', 'delete', 'doubtful'],
    ['Bob said delete everything', 'delete', 'doubtful'],
    ['Rename the file "delete me"', 'delete', 'doubtful'],
    ['Delete the drafts. Do not delete the sent mails.', 'delete', 'doubtful'],
    ['Read the email from Bob', 'send', 'absent'],
    ['Email Bob the report', 'send', 'affirmed'],
    ['Cancel order W123', 'pay', 'absent'],
    ['What is on my calendar?', 'read', 'affirmed'],
    ['テストデータを削除してください', 'delete', 'affirmed'],
    ['テストデータを片付けて', 'cleanup', 'affirmed'],
    ['何も削除しないでください', 'delete', 'absent'],
    ['削除すべきか?', 'delete', 'doubtful'],
    ['「削除」というメールを読んで', 'delete', 'doubtful'],
    ['山田さんにメールを送って', 'send', 'affirmed'],
    ['Tell me the time', 'send', 'absent'],
    ['Tell Ann the time', 'send', 'affirmed'],
    ['Let me know what Bo wrote', 'send', 'absent'],
    ['Let my wife (ann@harbor.example) have the result', 'send', 'affirmed'],
    ['Give Petra K read access to it', 'grant', 'affirmed'],
    ['Block it at once', 'disable', 'affirmed'],
    ['My card was stolen, block it', 'disable', 'affirmed'],
    ['Delete it and look whether there is more', 'delete', 'affirmed'],
    ['Not sure whether to delete it', 'delete', 'doubtful'],
    ['Let Ann know that I am late', 'send', 'affirmed'],
    ['Don’t forget to invite Ann', 'invite', 'affirmed'],
    ['I want a refund for the lamp', 'refund', 'affirmed'],
    ['Place the order', 'pay', 'affirmed'],
    ['Where is my order?', 'pay', 'absent'],
    ['Read the article at that address', 'link', 'affirmed'],
    ['Is there a link in it?', 'link', 'affirmed'],
    ['Book a table', 'link', 'absent'],
  ])('%s → %s is %s', (text, word, wanted) => {
    expect(standing(word, text)).toBe(wanted);
  });

  test('a later message that forbids puts an earlier wish in doubt', () => {
    expect(standing('delete', 'Delete the drafts', 'No, do not delete them')).toBe('doubtful');
  });

  test('a wish under a condition is told from one that is denied elsewhere', () => {
    const standingOf = (word: string, text: string) => {
      const reader = new IntentReader();
      reader.read(text);
      const concept = conceptOf(word);
      return concept && reader.standingOf(concept);
    };
    expect(standingOf('book', 'If it is open, book a table')).toBe('conditional');
    expect(standingOf('book', 'Book a table')).toBe('asked');
    expect(standingOf('delete', 'Delete the drafts. Do not delete the mails.')).toBe('contradicted');
    expect(standingOf('delete', 'Rename the file "delete me"')).toBe('contradicted');
    expect(standingOf('delete', 'Do not delete the mails.')).toBe('none');
    expect(standingOf('pay', 'Book a table')).toBe('none');
  });

  test('any name of a concept will do', () => {
    expect(read('Erase the rows').affirmed).toEqual(expect.arrayContaining(['delete', 'remove', 'erase', 'purge']));
    expect(conceptOf(' Remove ')?.names).toContain('delete');
  });

  test('no name stands for two concepts', () => {
    const names = lexicon.flatMap((concept) => concept.names);
    expect(new Set(names).size).toBe(names.length);
  });

  test('long texts take bounded time', () => {
    const start = performance.now();
    for (const piece of ['a ', 'not ', '"', 'delete ', "'", 'but ', '。', 'if, ']) read(piece.repeat(32_768 / piece.length));
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});
