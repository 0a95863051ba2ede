'use client';

import Link from 'next/link';
import { useState } from 'react';

import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { FilePick } from '@/components/ui/file-pick';
import { Icon } from '@/components/ui/icon';
import { policyFormats, type PolicyFormat } from '@/lib/contracts/console/policies';
import type { PolicyEditorView } from '@/lib/contracts/console/policy-drafts';

import { DraftLine } from './draft-line';
import type { Draft } from './use-draft';

interface EditorHeadProps {
  readonly draft: Draft;
  readonly inForce: { readonly revision: number; readonly text: string } | null;
  readonly comparing: boolean;
  readonly onCompare: (on: boolean) => void;
  readonly onFile: (text: string, format: PolicyFormat) => void;
  readonly onDiscarded: (view: PolicyEditorView) => void;
}

const isFormat = (value: string): value is PolicyFormat => policyFormats.some((format) => format === value);
const formatOf = (file: string): PolicyFormat => (/\.json$/i.test(file) ? 'json' : /\.(md|markdown)$/i.test(file) ? 'markdown' : 'yaml');
const formatNames: Readonly<Record<PolicyFormat, string>> = { yaml: 'YAML', json: 'JSON', markdown: 'Markdown' };

/** Whose text it is, what it rests on, whether it is saved, and what is done with it as a whole. */
export function EditorHead({ draft, inForce, comparing, onCompare, onFile, onDiscarded }: EditorHeadProps) {
  const [asking, setAsking] = useState(false);
  const { content: { format, base }, state } = draft;
  const discard = async () => {
    setAsking(false);
    const view = await draft.discard();
    if (view !== null) onDiscarded(view);
  };
  return (
    <header className="desk-head">
      <div>
        <Link className="desk-back" href="/policies"><Icon name="back" small />Policies</Link>
        <h1>Policy draft</h1>
        <p className="meta2">{base === null ? 'On nothing: no policy was in force' : `On r${base.revision}`}. Only you see it, and it decides nothing. <DraftLine state={state} /></p>
      </div>
      <div className="desk-tools">
        <label className="vh" htmlFor="draft-format">Format</label>
        <select id="draft-format" className="input select" value={format} onChange={({ target }) => { if (isFormat(target.value)) draft.change({ format: target.value }); }}>
          {policyFormats.map((one) => <option key={one} value={one}>{formatNames[one]}</option>)}
        </select>
        <FilePick label="Load a file" accept=".yaml,.yml,.json,.md,text/*" onPick={(file) => void file.text().then((text) => onFile(text, formatOf(file.name)))} />
        {inForce === null ? null : <Button small aria-pressed={comparing} onClick={() => onCompare(!comparing)}>{comparing ? 'Show the text' : `Changes from r${inForce.revision}`}</Button>}
        <Button small kind="plain" offBecause={state.kind === 'untouched' ? 'No draft' : undefined} onClick={() => setAsking(true)}>Discard</Button>
      </div>
      <Dialog open={asking} onOpenChange={setAsking} title="Throw this draft away?" description="Text and tests of your draft are deleted. The policy in force stays as it is." footer={<><Button onClick={() => setAsking(false)}>Keep it</Button><Button kind="deny" onClick={() => void discard()}>Throw away</Button></>}>
        <p>It cannot be brought back.</p>
      </Dialog>
    </header>
  );
}
