import { parseRoster } from '@/lib/authority/parse-roster';
import type { Roster } from '@/lib/authority/roster';
import { parseBundle } from '@/lib/ledger/bundle';
import { readManifest, type BundleManifest } from '@/lib/ledger/bundle-manifest';
import { envelopePayload, type Envelope } from '@/lib/shared/dsse';
import { toBase64, type Sha256 } from '@/lib/shared/encoding';
import { ok, type Result } from '@/lib/shared/result';

import { actionStories, type ActionStory } from './action-stories';
import { htmlText } from './html-text';
import { pairActions } from './pairing';
import { pairingWords } from './pairing-words';
import { readEntries } from './parse-entries';
import { ReceiptLines } from './receipt-lines';

/** Where the verifier's file takes a bundle in, and where a report's readable part stands until the verifier has run. */
export const bundleSlot = '<script type="text/plain" id="bundle"></script>';
export const claimsSlot = '<main id="claims"></main>';

/** Rows written out for readers without scripts; the verifier shows all of them. */
const mostRows = 1_000;

type ReportParts = {
  /** The verifier as one file, whole: what `countersign verifier` prints. */
  readonly verifier: string;
  /** The exact bytes of a bundle file. */
  readonly bundle: Uint8Array;
  readonly sha256: Sha256;
};

/**
 * A bundle as one HTML file that verifies itself when opened, without a network. The bundle lies in it as base64, so no text of it can
 * be markup; what it says in words stands there escaped, and makes way for what the verifier found. Failure: `bundle_unreadable`.
 */
export function htmlReport({ verifier, bundle, sha256 }: ReportParts): Result<string> {
  const parsed = parseBundle(bundle);
  if (!parsed.ok) return parsed;
  const manifest = readManifest(parsed.value.manifest);
  if (!manifest.ok) return manifest;
  const entries = readEntries(parsed.value, sha256);
  const stories = actionStories(entries, pairActions(entries), new ReceiptLines(entries, rostersIn(parsed.value.rosters)));
  const claims = claimsOf(manifest.value, entries.length, stories);
  return ok(
    filled(filled(verifier, claimsSlot, `<main id="claims">${claims}</main>`), bundleSlot, `<script type="text/plain" id="bundle">${toBase64(bundle)}</script>`),
  );
}

/** For people's names in the readable part, which is not verified yet. */
function rostersIn(envelopes: readonly Envelope[]): readonly { readonly roster: Roster }[] {
  return envelopes.flatMap((envelope) => {
    const payload = envelopePayload(envelope);
    const roster = payload && parseRoster(payload);
    return roster?.ok === true ? [{ roster: roster.value }] : [];
  });
}

/** The first place is the one: the slots stand before everything that is long. */
function filled(page: string, slot: string, content: string): string {
  const at = page.indexOf(slot);
  if (at === -1) throw new Error('This is not the verifier’s file: it has no place for a bundle.');
  return page.slice(0, at) + content + page.slice(at + slot.length);
}

function claimsOf({ workspace, range, size, session, created_at }: BundleManifest, receipts: number, stories: readonly ActionStory[]): string {
  const part = session === undefined ? `positions ${range.from} to ${range.to} of ${size}` : `session ${session}, of a log of ${size}`;
  const rows = stories.slice(0, mostRows).map(rowOf).join('');
  const rest = stories.length > mostRows ? `<p class="meta2">And ${stories.length - mostRows} more, which the verifier shows.</p>` : '';
  return [
    '<h1 class="auth-title">Countersign report</h1>',
    `<p class="auth-lead">${receipts} receipts of ${htmlText(workspace)}, ${htmlText(part)}, exported ${htmlText(created_at)}. This is what the file says of itself. Nothing of it is verified until the verifier in this file has run, which needs scripts.</p>`,
    '<div class="scroll-x"><table class="ruled"><caption class="vh">Actions and what became of them</caption>',
    '<thead><tr><th scope="col">Receipt</th><th scope="col">Time</th><th scope="col">Who</th><th scope="col">What</th><th scope="col">Decision</th><th scope="col">Approvals</th><th scope="col">Outcome</th></tr></thead>',
    `<tbody>${rows}</tbody></table></div>${rest}`,
  ].join('');
}

function rowOf({ index, at, agent, human, operation, decision, votes, outcome, pairing }: ActionStory): string {
  const who = agent === null ? 'not in the file' : `${agent}, for ${human ?? 'nobody'}`;
  const approvals = votes.length === 0 ? 'none' : votes.map(({ person, verdict }) => `${person}: ${verdict}`).join(', ');
  const cells = [String(index), at, who, operation ?? 'not in the file', decision ?? 'not in the file', approvals, `${pairingWords[pairing.verdict].title}${outcome === null ? '' : `, ${outcome}`}`];
  return `<tr>${cells.map((cell) => `<td>${htmlText(cell)}</td>`).join('')}</tr>`;
}
