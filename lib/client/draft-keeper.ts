import type { ActionResult, ShownFault } from '@/lib/contracts/console/action-result';
import type { DraftView, SavedDraft, SaveDraftInput } from '@/lib/contracts/console/policy-drafts';

import { unreachable } from './parse-answer';

export type DraftContent = Omit<SaveDraftInput, 'version'>;

export type DraftState =
  /** Nothing was written that is not in force already. */
  | { readonly kind: 'untouched' }
  | { readonly kind: 'unsaved' }
  | { readonly kind: 'saving' }
  | { readonly kind: 'saved'; readonly at: string }
  /** Another window saved or threw away: nothing more is saved until the person has chosen. */
  | { readonly kind: 'conflict'; readonly fault: ShownFault }
  /** Not saved, and tried again with the next change or on request. */
  | { readonly kind: 'failed'; readonly fault: ShownFault };

type Save = (input: SaveDraftInput) => Promise<ActionResult<SavedDraft>>;

const idleMs = 1200;

/** Saves what is written once the typing pauses, one save at a time, each on top of the version before. */
export class DraftKeeper {
  private version: number;
  private content: DraftContent | null = null;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private busy = false;
  private shown: DraftState;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly save: Save, draft: Pick<DraftView, 'version' | 'saved_at'> | null) {
    this.version = draft?.version ?? 0;
    this.shown = draft ? { kind: 'saved', at: draft.saved_at } : { kind: 'untouched' };
  }

  readonly state = (): DraftState => this.shown;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** The version that the server has; 0 before the first save. */
  get savedVersion(): number {
    return this.version;
  }

  change(content: DraftContent): void {
    this.content = content;
    if (this.shown.kind === 'conflict') return;
    this.show({ kind: 'unsaved' });
    this.later();
  }

  /** Saves what is written now: before a page is left, and before what was saved is proposed. True when the server has all of it. */
  async flush(): Promise<boolean> {
    this.stop();
    while (this.busy) await new Promise<void>((resolve) => { const done = this.subscribe(() => { done(); resolve(); }); });
    if (this.content !== null && this.shown.kind !== 'conflict') await this.write();
    return this.content === null && (this.shown.kind === 'saved' || this.shown.kind === 'untouched');
  }

  /** After a conflict: what is written here takes the place of that version. */
  async overwrite(version: number, content: DraftContent): Promise<void> {
    this.version = version;
    this.content = content;
    await this.write();
  }

  /** Begins again from what the server has. */
  restart(draft: Pick<DraftView, 'version' | 'saved_at'> | null): void {
    this.stop();
    this.content = null;
    this.version = draft?.version ?? 0;
    this.show(draft ? { kind: 'saved', at: draft.saved_at } : { kind: 'untouched' });
  }

  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private later(): void {
    this.stop();
    this.timer = setTimeout(() => void this.write(), idleMs);
  }

  private async write(): Promise<void> {
    const { content } = this;
    if (content === null || this.busy) return;
    this.busy = true;
    this.content = null;
    this.show({ kind: 'saving' });
    const result = await this.save({ version: this.version, ...content }).catch(() => ({ ok: false as const, error: unreachable() }));
    this.busy = false;
    if (result.ok) {
      this.version = result.value.version;
      // Typed on meanwhile: that goes up next.
      if (this.content === null) this.show({ kind: 'saved', at: result.value.saved_at });
      else {
        this.show({ kind: 'unsaved' });
        this.later();
      }
      return;
    }
    this.content ??= content;
    this.show({ kind: result.error.code === 'conflict' ? 'conflict' : 'failed', fault: result.error });
  }

  private show(state: DraftState): void {
    this.shown = state;
    for (const listener of [...this.listeners]) listener();
  }
}
