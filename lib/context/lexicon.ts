import { canonicalBytes } from '@/lib/shared/canonical-json';
import { digestOf, type Sha256 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';

/**
 * Concepts that a person can ask for. `names` are what policies may say for it; `english` are verb forms that ask for it
 * (base and -ing forms; a past form tells of something, it does not ask); `japanese` are substrings.
 */
export type Concept = { readonly names: readonly string[]; readonly english: readonly string[]; readonly japanese: readonly string[] };

export const lexiconVersion = 1;

const row = (names: string, english: string, japanese: string): Concept => ({
  names: names.split(' '), english: english.split(', '), japanese: japanese === '' ? [] : japanese.split(' '),
});

export const lexicon: readonly Concept[] = [
  row('delete remove erase purge drop', 'delete, deleting, remove, removing, erase, erasing, purge, purging, drop, dropping, wipe, wiping, get rid of, throw away, discard, discarding, trash', '削除 消去 消して 消し去 取り除 破棄 捨て'),
  row('cleanup tidy', 'clean up, cleaning up, cleanup, clean out, clear out, clear, clearing, tidy, tidy up, tidying', '片付け 片づけ 整理 掃除 クリーンアップ'),
  row('archive', 'archive, archiving', 'アーカイブ'),
  row('send email mail message', 'send, sending, email, emailing, mail, mailing, message, write to, notify, notifying, let know, inform, informing, drop a line', '送信 送って 送る 送付 メールし 連絡 知らせ 通知'),
  row('reply answer', 'reply, replying, answer, answering, respond, responding, write back', '返信 返事 回答'),
  row('forward', 'forward, forwarding, pass on', '転送'),
  row('share', 'share, sharing, give access', '共有'),
  row('publish post', 'publish, publishing, post, posting, announce, announcing, tweet', '公開 投稿 発表'),
  row('read show find search list', 'read, reading, show, showing, find, finding, search, searching, look up, look for, look at, list, listing, check, checking, get, fetch, see, tell me, count, compare, review, reviewing, view, what, who, which, when, where, how many, how much', '読んで 見せ 表示 探し 検索 調べ 確認 教えて 一覧 何 誰 いつ どこ'),
  row('summarise summarize report', 'summarise, summarising, summarize, summarizing, summary, report, reporting, recap, explain, explaining, analyse, analyze', '要約 まとめ 報告 説明 分析'),
  row('create add write make', 'create, creating, add, adding, write, writing, make, making, draft, drafting, save, saving, record, recording, register, registering, set up, generate, open a, append', '作成 作って 追加 書いて 保存 登録 記録'),
  row('update change edit rename move', 'update, updating, change, changing, edit, editing, modify, modifying, rename, renaming, move, moving, adjust, fix, fixing, correct, correcting, set, replace, replacing, mark', '更新 変更 修正 編集 直して 移動'),
  row('schedule book reserve', 'schedule, scheduling, reschedule, rescheduling, book, booking, reserve, reserving, plan, planning, arrange', '予約 予定 スケジュール 手配'),
  row('invite', 'invite, inviting', '招待 誘って'),
  row('cancel', 'cancel, cancelling, canceling, call off', 'キャンセル 取り消 中止'),
  row('pay transfer buy', 'pay, paying, transfer, transferring, send money, wire, wiring, buy, buying, purchase, purchasing, place an order, ordering, settle, donate', '支払 払って 振込 振り込 送金 購入 買って 注文'),
  row('refund return', 'refund, refunding, pay back, return, returning, reimburse, exchange, exchanging', '返金 払い戻 返品 交換'),
  row('run execute', 'run, running, execute, executing, launch, launching, start, starting, restart, build, test, testing', '実行 起動 走らせ 動かし'),
  row('deploy release', 'deploy, deploying, release, releasing, roll out, ship', 'デプロイ リリース'),
  row('install', 'install, installing, set up, upgrade, upgrading', 'インストール 導入'),
  row('download export', 'download, downloading, export, exporting, back up, backup, backing up', 'ダウンロード エクスポート バックアップ 書き出'),
  row('upload import', 'upload, uploading, import, importing, push, pushing', 'アップロード インポート 取り込'),
  row('commit merge', 'commit, committing, merge, merging, check in', 'コミット マージ'),
  row('close resolve', 'close, closing, resolve, resolving, finish', '閉じ 解決 完了'),
  row('approve accept', 'approve, approving, accept, accepting, confirm, confirming', '承認 承諾'),
  row('grant permit', 'grant, granting, permit, permitting, authorise, authorize, give permission', '許可 権限'),
];

export const lexiconDigest = (sha256: Sha256): Digest =>
  digestOf(sha256, canonicalBytes({ version: lexiconVersion, concepts: lexicon.map(({ names, english, japanese }) => ({ names, english, japanese })) }));

const byName = new Map(lexicon.flatMap((concept) => concept.names.map((name) => [name, concept] as const)));

/** The concept that a policy's word names; undefined when the lexicon has no such word. */
export const conceptOf = (word: string): Concept | undefined => byName.get(word.trim().toLowerCase());
