import { leafHashOf, textOf } from '@/lib/ledger/leaf';
import { envelopeText, payloadText } from '@/lib/shared/dsse';
import { toHex } from '@/lib/shared/encoding';
import { actionStories, type ActionStory } from '@/lib/verify/action-stories';
import { checkReceipts } from '@/lib/verify/check-receipts';
import type { Entry } from '@/lib/verify/parse-entries';
import { ReceiptLines } from '@/lib/verify/receipt-lines';
import { ReceiptVerdicts, worst, type ReceiptVerdict } from '@/lib/verify/receipt-verdicts';
import { redrawVote, type Redrawn } from '@/lib/verify/redraw-vote';
import type { Report } from '@/lib/verify/report';
import type { Examined } from '@/lib/verify/verify-bundle';

import { sha256 } from './hash';
import type { LineFilter, LinePage, ReceiptShown, ShownLine, StoryFilter, StoryPage } from './verify-messages';
import { verifySignature } from './verify-signature';

/** Where an action still waits for something, or nobody knows how it ended. */
const open: ReadonlySet<string> = new Set(['held', 'deferred', 'permit_unused', 'outcome_missing', 'outcome_unknown', 'outcome_late', 'beginning_not_in_bundle']);

/** A bundle that was checked, and stays open to look into: pages of its receipts and actions, and single receipts in full. */
export class OpenedBundle {
  readonly lines: ReceiptLines;
  private readonly verdicts: ReceiptVerdicts;
  private readonly stories: readonly ActionStory[];
  private readonly filtered = new Map<LineFilter, readonly Entry[]>();

  constructor(private readonly report: Report, private readonly examined: Examined) {
    this.lines = new ReceiptLines(examined.entries, examined.rosters);
    this.verdicts = new ReceiptVerdicts(report);
    this.stories = actionStories(examined.entries, report.pairing, this.lines);
  }

  linePage(from: number, count: number, show: LineFilter): LinePage {
    const entries = this.entriesOf(show);
    return { lines: entries.slice(from, from + count).map((entry) => this.lineOf(entry)), total: entries.length };
  }

  storyPage(from: number, count: number, show: StoryFilter): StoryPage {
    const stories = show === 'all' ? this.stories : this.stories.filter(({ pairing }) => (show === 'broken' ? pairing.broken : !pairing.broken && open.has(pairing.verdict)));
    return { stories: stories.slice(from, from + count), total: stories.length };
  }

  /** Undefined when the bundle has no receipt at that position. */
  async receipt(index: number): Promise<ReceiptShown | null> {
    const entry = this.entryAt(index);
    if (!entry) return null;
    const line = this.lineOf(entry);
    const verdicts = await this.ownVerdicts(entry);
    const { leaf } = entry;
    return {
      line: { ...line, state: worst(verdicts) },
      verdicts,
      story: line.action === null ? null : (this.stories.find(({ action }) => action === line.action) ?? null),
      redrawn: this.redrawn(entry),
      statement: payloadText(leaf.envelope) ?? null,
      envelope: envelopeText(leaf.envelope),
      leafHash: toHex(leafHashOf(sha256, textOf(leaf))),
      previous: leaf.previous,
      signer: leaf.envelope.signatures[0]?.keyid ?? '',
    };
  }

  /** Every entry is ordered by position, so it is found by halving. */
  private entryAt(index: number): Entry | undefined {
    const { entries } = this.examined;
    let [low, high] = [0, entries.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((entries[middle]?.index ?? 0) < index) low = middle + 1;
      else high = middle;
    }
    const found = entries[low];
    return found?.index === index ? found : undefined;
  }

  private lineOf(entry: Entry): ShownLine {
    const line = this.lines.of(entry);
    const paired = this.verdicts.pairingOf(line.action);
    return { ...line, state: this.verdicts.stateOf(line), pairing: paired?.verdict ?? null, broken: paired?.broken === true };
  }

  private entriesOf(show: LineFilter): readonly Entry[] {
    const known = this.filtered.get(show);
    if (known) return known;
    const found = this.examined.entries.filter((entry) => this.isShown(entry, show));
    this.filtered.set(show, found);
    return found;
  }

  private isShown(entry: Entry, show: LineFilter): boolean {
    if (show === 'all') return true;
    if (show === 'decisions') return entry.body?.kind === 'action_decided';
    if (show === 'votes') return entry.body?.kind === 'approval_voted';
    return this.lineOf(entry).state !== 'pass';
  }

  /** The report's verdicts, with the signature checked for this receipt itself: the report stops at the first that fails. */
  private async ownVerdicts(entry: Entry): Promise<readonly ReceiptVerdict[]> {
    const { manifest, roots } = this.examined;
    const signed = await checkReceipts([entry], manifest, roots, { sha256, verify: verifySignature });
    return this.verdicts.of(this.lines.of(entry)).map((verdict) =>
      verdict.id === 'receipts' && verdict.state !== 'fail' ? { ...verdict, state: signed.state, detail: signed.state === 'pass' ? '' : signed.detail } : verdict,
    );
  }

  private redrawn({ body }: Entry): Redrawn | null {
    if (body?.kind !== 'approval_voted' && body?.kind !== 'approval_requested') return null;
    return redrawVote(body.predicate, this.examined.entries, this.examined.bundle, sha256);
  }
}
