import { canonicalBytes } from '@/lib/shared/canonical-json';
import { digestOf, type Sha256 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';

/**
 * Concepts that a person can ask for. `names` are what policies may say for it; `english` are verb forms that ask for it
 * (base and -ing forms; a past form tells of something, it does not ask); `japanese` are substrings. A `thing` is no deed: it is
 * asked about wherever its words stand.
 */
export type Concept = { readonly names: readonly string[]; readonly english: readonly string[]; readonly japanese: readonly string[]; readonly thing: boolean };

export const lexiconVersion = 2;

const row = (names: string, english: string, japanese: string): Concept => ({
  names: names.split(' '), english: english.split(', '), japanese: japanese === '' ? [] : japanese.split(' '), thing: false,
});

const thing = (names: string, english: string, japanese: string): Concept => ({ ...row(names, english, japanese), thing: true });

export const lexicon: readonly Concept[] = [
  row('delete remove erase purge drop', 'delete, deleting, remove, removing, erase, erasing, purge, purging, drop, dropping, wipe, wiping, get rid of, throw away, discard, discarding, trash, to the trash, to trash, to the bin, throw out', '削除 消去 消して 消し去 取り除 破棄 捨て'),
  row('cleanup tidy', 'clean up, cleaning up, cleanup, clean out, clear out, clear, clearing, tidy, tidy up, tidying', '片付け 片づけ 整理 掃除 クリーンアップ'),
  row('archive', 'archive, archiving', 'アーカイブ'),
  row('send email mail message', 'send, sending, email, emailing, mail, mailing, message, write to, notify, notifying, let know, inform, informing, drop a line, drop a note, ping, pinging, dm, fax, faxing, text, texting, tell, telling, ask, asking, say, saying, to know that, greet, welcome, remind, reminding, get in touch with, reach out to', '送信 送って 送る 送付 メールし 連絡 知らせ 通知'),
  row('reply answer', 'reply, replying, comment, commenting, answer, answering, respond, responding, write back', '返信 返事 回答'),
  row('forward', 'forward, forwarding, pass on', '転送'),
  row('share', 'share, sharing, give, giving, give access, hand over, send over', '共有'),
  row('publish post', 'publish, publishing, post, posting, announce, announcing, tweet, tweeting, broadcast', '公開 投稿 発表'),
  row('read show find search list', 'read, reading, show, showing, find, finding, search, searching, look up, look for, look at, list, listing, check, checking, get, fetch, see, tell me, count, compare, review, reviewing, view, what, who, which, when, where, how many, how much', '読んで 見せ 表示 探し 検索 調べ 確認 教えて 一覧 何 誰 いつ どこ'),
  row('summarise summarize report', 'summarise, summarising, summarize, summarizing, summary, report, reporting, recap, explain, explaining, analyse, analyze', '要約 まとめ 報告 説明 分析'),
  row('create add write make', 'create, creating, add, adding, write, writing, make, making, draft, drafting, save, saving, record, recording, register, registering, set up, generate, open a, append, put, note down, jot down, fill in, log, start a, prepare, sign up, put together, enter, entering, issue, issuing, file, filing, submit, submitting, request, requesting', '作成 作って 追加 書いて 保存 登録 記録'),
  row('update change edit rename move', 'update, updating, change, changing, edit, editing, modify, modifying, rename, renaming, move, moving, adjust, fix, fixing, correct, correcting, set, replace, replacing, mark, switch, switching, bump, raise, raising, lower, lowering, increase, reduce, push back, bring forward, postpone, swap, upgrade, upgrading, downgrade, convert, extend, extending', '更新 変更 修正 編集 直して 移動'),
  row('schedule book reserve', 'schedule, scheduling, reschedule, rescheduling, book, booking, reserve, reserving, plan, planning, arrange, make a reservation, make a booking, make an appointment, rebook, rebooking, block out, put me down for, rent, renting, hire, remind me, set a reminder, a reminder', '予約 予定 スケジュール 手配'),
  row('invite', 'invite, inviting, bring in, loop in, an invitation, invitations', '招待 誘って'),
  row('cancel', 'cancel, cancelling, canceling, call off, terminate, terminating, end, ending, reject, rejecting, decline, declining, revoke, revoking', 'キャンセル 取り消 中止'),
  row('pay transfer buy', 'pay, paying, transfer, transferring, send money, wire, wiring, buy, buying, purchase, purchasing, place an order, place the order, place my order, place this order, order, ordering, check out, checkout, complete the purchase, settle, donate, make a payment, make a transfer, send a payment, top up, topping up, recharge, refuel, subscribe, subscribing, withdraw, withdrawing, deposit, depositing, invest, charge', '支払 払って 振込 振り込 送金 購入 買って 注文'),
  row('refund return', 'refund, refunding, pay back, send back, return, returning, reimburse, exchange, exchanging, a refund, my money back, want my money, compensate', '返金 払い戻 返品 交換'),
  row('run execute', 'run, running, execute, executing, launch, launching, start, starting, restart, build, test, testing', '実行 起動 走らせ 動かし'),
  row('deploy release', 'deploy, deploying, release, releasing, roll out, ship', 'デプロイ リリース'),
  row('install', 'install, installing, set up, upgrade, upgrading', 'インストール 導入'),
  row('download export', 'download, downloading, export, exporting, back up, backup, backing up', 'ダウンロード エクスポート バックアップ 書き出'),
  row('upload import', 'upload, uploading, import, importing, push, pushing', 'アップロード インポート 取り込'),
  row('commit merge', 'commit, committing, merge, merging, check in', 'コミット マージ'),
  row('close resolve', 'close, closing, resolve, resolving, finish', '閉じ 解決 完了'),
  row('approve accept', 'approve, approving, accept, accepting, confirm, confirming', '承認 承諾'),
  row('grant permit', 'grant, granting, permit, permitting, authorise, authorize, give permission, allow, allowing, promote, promoting, let in, and access to, needs access, need access, get access to, have access to', '許可 権限'),
  row('assign', 'assign, assigning, reassign, delegate, delegating, hand to', '割り当て 担当'),
  row('enable activate', 'enable, enabling, activate, activating, turn on, switch on, resume, resuming, unfreeze, reactivate, unblock, turn up', '有効 オンに 点けて'),
  row('disable deactivate', 'disable, disabling, deactivate, deactivating, turn off, switch off, suspend, suspending, pause, pausing, freeze, freezing, block, blocking, mute, muting, shut down, turn down', '無効 オフに 停止'),
  row('unlock', 'unlock, unlocking, disarm, open the', '解錠 開けて'),
  row('lock', 'lock, locking, arm the, secure the', '施錠'),
  row('reset', 'reset, resetting, reboot, rebooting, restart, restarting', 'リセット 再起動'),
  row('choose', 'choose, choosing, pick, picking, select, selecting, decide, recommend, suggest, best, cheapest, lowest, highest, top, most, nearest, closest, earliest, latest, fastest, whichever, largest, smallest, shortest', '選んで 一番 最も おすすめ'),
  row('want need', 'i need, i want, i would like, i\'d like, get me, get it for, go ahead, we need, we want, you want, you need, you would like, you\'d like', '欲しい 必要'),
  thing('link webpage', 'link, links, url, urls, website, websites, web page, webpage, webpages, web site, web pages, site, article, articles, blog, page', 'リンク サイト 記事 ページ'),
  thing('credentials', 'password, passwords, passcode, passphrase, pin, credential, credentials, api key, api keys, token, tokens, secret, secrets, 2fa, security code, verification code', 'パスワード 暗証番号 認証'),
];

export const lexiconDigest = (sha256: Sha256): Digest =>
  digestOf(sha256, canonicalBytes({ version: lexiconVersion, concepts: lexicon.map(({ names, english, japanese, thing: isThing }) => ({ names, english, japanese, thing: isThing })) }));

const byName = new Map(lexicon.flatMap((concept) => concept.names.map((name) => [name, concept] as const)));

/** The concept that a policy's word names; undefined when the lexicon has no such word. */
export const conceptOf = (word: string): Concept | undefined => byName.get(word.trim().toLowerCase());

const byForm = new Map(lexicon.flatMap((concept) => (concept.thing ? [] : concept.english.filter((form) => !form.includes(' ')).map((form) => [form, concept] as const))));

/** The deed that a verb in the name of an operation stands for, by a policy's word for it or by what people say. */
export const deedNamed = (word: string): Concept | undefined => {
  const named = conceptOf(word);
  return named?.thing === false ? named : byForm.get(word);
};
