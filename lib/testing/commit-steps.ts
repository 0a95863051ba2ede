import { fork, type ChildProcess } from 'node:child_process';
import path from 'node:path';

import { originOf, signCheckpoint } from '@/lib/ledger/checkpoint';
import type { SignCheckpoint } from '@/lib/services/group-commit';
import type { ReceiptId, WorkspaceId } from '@/lib/shared/ids';

import { nodeSha256, testKey } from './node-crypto';

/** Where a process can end while it appends, in the order in which it comes by. */
export const commitSteps = [
  'before the head is locked', 'once the head is locked', 'once the receipts are inserted', 'while the checkpoint is signed', 'once the checkpoint is inserted',
  'before the commit', 'after the commit, before answers leave',
] as const;
export type CommitStep = (typeof commitSteps)[number];
export const isCommitStep = (text: string): text is CommitStep => commitSteps.some((step) => step === text);

const key = testKey('whoever commits in tests');

/** Signs tree heads as a plane does, with a key that every process of a test has. */
export const testCheckpoints =
  (workspace: WorkspaceId): SignCheckpoint =>
  async (size, root) =>
    await signCheckpoint(nodeSha256, { origin: originOf(workspace), size: Number(size), root, extensions: [] }, key.publicKey, key.signer.sign);

/** A receipt that a writer was told is durable, and where. */
export type Told = { readonly id: ReceiptId; readonly index: string };

export type CommitProcess = {
  readonly process: ChildProcess;
  /** What it had answered by its end, which came by itself or by SIGKILL. */
  readonly done: Promise<readonly Told[]>;
  /** Settles once so many were answered, or it has ended. */
  readonly until: (told: number) => Promise<void>;
};

/** Starts `commit-process.ts`: `writers` at once, each committing `each` receipts. */
export function startCommitProcess(parts: {
  readonly url: string;
  readonly workspace: WorkspaceId;
  readonly writers: number;
  readonly each: number;
  readonly dies?: { readonly step: CommitStep; readonly batch: number };
}): CommitProcess {
  const { url, workspace, writers, each, dies } = parts;
  const file = path.resolve(import.meta.dirname, 'commit-process.ts');
  const child = fork(file, [url, workspace, String(writers), String(each), ...(dies ? [dies.step, String(dies.batch)] : [])], { execArgv: ['--import', 'tsx'] });
  const told: Told[] = [];
  const waiting: (() => void)[] = [];
  child.on('message', (message: Told) => {
    told.push(message);
    for (const wake of waiting.splice(0)) wake();
  });
  const done = new Promise<readonly Told[]>((resolve, reject) => {
    child.on('error', reject);
    // After the last message was read, however it ended.
    child.on('close', (code, signal) => (code === 0 || signal === 'SIGKILL' ? resolve(told) : reject(new Error(`The process ended with ${String(code)}.`))));
  });
  const until = async (enough: number) => {
    while (told.length < enough) {
      const ended = await Promise.race([done.then(() => true), new Promise<false>((resolve) => waiting.push(() => resolve(false)))]);
      if (ended) return;
    }
  };
  return { process: child, done, until };
}
