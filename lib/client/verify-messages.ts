import type { ActionStory } from '@/lib/verify/action-stories';
import type { Gap } from '@/lib/verify/gaps';
import type { ReceiptLine } from '@/lib/verify/receipt-lines';
import type { ReceiptVerdict } from '@/lib/verify/receipt-verdicts';
import type { Redrawn } from '@/lib/verify/redraw-vote';
import type { CannotRederive, Check, CheckState, PairingVerdict, Report } from '@/lib/verify/report';

/** What the page asks its worker. The bundle stays in the worker: the page gets what it draws, page by page. */
export type VerifyRequest =
  /** `base64`: the file holds its bytes in base64, as a report carries them. */
  | { readonly kind: 'check'; readonly file: Blob; readonly base64: boolean; readonly trust: Trust }
  | { readonly kind: 'lines'; readonly from: number; readonly count: number; readonly show: LineFilter }
  | { readonly kind: 'stories'; readonly from: number; readonly count: number; readonly show: StoryFilter }
  | { readonly kind: 'receipt'; readonly index: number };

/** What the reader brought along: a fingerprint as typed, and texts of checkpoints, pins or checkpoint keys. */
export type Trust = { readonly fingerprint: string; readonly known: string };

export const lineFilters = ['all', 'not_passed', 'decisions', 'votes'] as const;
export type LineFilter = (typeof lineFilters)[number];
export const storyFilters = ['all', 'broken', 'open'] as const;
export type StoryFilter = (typeof storyFilters)[number];

export type VerifyAnswer = { readonly check: Checked; readonly lines: LinePage; readonly stories: StoryPage; readonly receipt: ReceiptShown | null };

export type ShownLine = ReceiptLine & { readonly state: CheckState; readonly pairing: PairingVerdict | null; readonly broken: boolean };
export type LinePage = { readonly lines: readonly ShownLine[]; readonly total: number };
export type StoryPage = { readonly stories: readonly ActionStory[]; readonly total: number };

/** The report without what grows with the bundle, and what the bundle says of itself. */
export type Checked = Pick<Report, 'verdict' | 'checks' | 'root' | 'size' | 'receipts' | 'limits'> & {
  readonly ms: number;
  readonly bytes: number;
  /** SHA-256 of the file's bytes, to tell files apart by. */
  readonly sha256: string;
  readonly rederived: Omit<Report['rederived'], 'notes'> & {
    readonly why: readonly { readonly why: CannotRederive; readonly count: number; readonly example: number; readonly detail: string }[];
    readonly first: { readonly index: number; readonly detail: string } | null;
  };
  readonly pairing: readonly { readonly verdict: PairingVerdict; readonly broken: boolean; readonly count: number; readonly first: number }[];
  readonly actions: number;
  readonly gaps: readonly Gap[];
  readonly gapCount: number;
  /** Null when the file cannot be read. */
  readonly about: About | null;
  readonly failure: Failure | null;
};

export type About = {
  readonly workspace: string;
  readonly range: { readonly from: number; readonly to: number };
  readonly session: string | null;
  readonly created_at: string;
  readonly product_version: string;
  readonly first_at: string | null;
  readonly last_at: string | null;
  readonly withheld: number;
  readonly erased: number;
};

/** The failure to look at first. */
export type Failure = {
  readonly check: Check;
  /** The first bad position; null when it is about the file as a whole. */
  readonly at: number | null;
  /** The receipt there; null when the file has none at that position. */
  readonly line: ReceiptLine | null;
  readonly expected: string;
  readonly found: string;
  readonly distrust: string;
};

export type ReceiptShown = {
  readonly line: ShownLine;
  readonly verdicts: readonly ReceiptVerdict[];
  readonly story: ActionStory | null;
  readonly redrawn: Redrawn | null;
  /** The signed statement, exactly. Undefined when the envelope holds none. */
  readonly statement: string | null;
  readonly envelope: string;
  readonly leafHash: string;
  readonly previous: string;
  readonly signer: string;
};

/** To the worker and back; `ask` pairs an answer with its question. */
export type ToWorker = { readonly ask: number; readonly request: VerifyRequest };
export type FromWorker =
  | { readonly ask: number; readonly kind: 'progress'; readonly step: ProgressStep; readonly done: number; readonly total: number }
  | { readonly ask: number; readonly kind: 'answer'; readonly answer: VerifyAnswer[keyof VerifyAnswer] }
  | { readonly ask: number; readonly kind: 'fault'; readonly detail: string }
  | { readonly kind: 'ready' };
export type ProgressStep = 'reading' | 'rederivation' | 'classes' | 'receipts' | 'summing_up';
