'use client';

import { useRef, useState } from 'react';

import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Field, Select } from '@/components/ui/field';
import { FilePick } from '@/components/ui/file-pick';
import { Icon } from '@/components/ui/icon';
import { Patch } from '@/components/ui/patch';
import { Section } from '@/components/ui/section';
import { DetailPane, ItemHead } from '@/components/layout/two-pane';
import { refusalOf } from '@/lib/client/action-fault';
import { keyWords } from '@/lib/client/key-words';
import { useSigningKey } from '@/lib/client/use-signing-key';
import { policyFormats, type PoliciesView, type PolicyFormat } from '@/lib/contracts/console/policies';
import type { PersonId } from '@/lib/shared/ids';

import { PolicyFindings } from './policy-findings';
import { PolicySignDialog } from './policy-sign-dialog';
import { useSignPolicy } from './use-sign-policy';

interface PolicyWriterProps {
  readonly person: PersonId;
  readonly view: PoliciesView;
  readonly onDone: (revision: number) => void;
  readonly onBack: () => void;
}

const isFormat = (value: string): value is PolicyFormat => policyFormats.some((format) => format === value);
const formatOf = (file: string): PolicyFormat => (/\.json$/i.test(file) ? 'json' : /\.(md|markdown)$/i.test(file) ? 'markdown' : 'yaml');

/** The next policy: its text, what the server finds in it, what it changes, and the signature that applies it. */
export function PolicyWriter({ person, view, onDone, onBack }: PolicyWriterProps) {
  const { in_force: active } = view;
  const [text, setText] = useState(active?.text ?? '');
  const [format, setFormat] = useState<PolicyFormat>(active?.format ?? 'yaml');
  const [open, setOpen] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const { key, asked, isFile, why, fault: keyFault, load: loadKey } = useSigningKey(person, 'policy');
  const { checking, applying } = useSignPolicy();
  const fault = refusalOf(checking.error);
  const checked = checking.data?.text === text && checking.data.format === format ? checking.data : null;
  const unchanged = active?.text === text;

  function go(line: number, column: number) {
    const at = text.split('\n').slice(0, line - 1).reduce((sum, part) => sum + part.length + 1, 0) + column - 1;
    area.current?.focus();
    area.current?.setSelectionRange(at, at);
  }
  async function load(file: File) {
    setText(await file.text());
    setFormat(formatOf(file.name));
  }

  const pickKey = <FilePick label={isFile ? 'Use another key file' : 'Use a key file'} accept=".pem,.key,text/*" onPick={loadKey} />;
  return (
    <>
      <DetailPane
        labelledBy="writer-title"
        head={<ItemHead back={{ href: '/policies', label: 'Policies' }} tags={<b>Not signed</b>} titleId="writer-title" title={active === null ? 'The first policy' : `After r${active.revision}`} summary="Nothing changes until you have signed it. Whatever is signed is checked again by every process before it is used." />}
        bar={
          <footer className="bar" role="group" aria-label="Sign">
            <div className="bar-what"><p>{checked === null ? 'Have it checked first.' : <>Would become <b>r{checked.prepared.revision}</b>, class <b>{checked.prepared.change.replaceAll('_', ' ')}</b></>}</p><p className="meta">{checked === null ? 'Checking changes nothing.' : `${checked.prepared.needed_signers} of the owners must sign.`} {key === undefined ? null : <>You sign with {isFile ? 'a key file' : `your ${keyWords(key.entry.kind)}`} {key.entry.id.slice(0, 8)}. {pickKey}</>}</p></div>
            <div className="bar-do">
              <Button className="not-phone" onClick={onBack}>Back</Button>
              <Button onClick={() => checking.mutate({ text, format })} offBecause={checking.isPending ? 'Checking' : unchanged ? 'Unchanged' : undefined}>Check</Button>
              <Button kind="primary" onClick={() => setOpen(true)} icon={<Icon name="key" />} gatedBy={checked === null ? 'Check it first' : key === undefined ? 'No key here' : undefined}>Sign and apply</Button>
            </div>
          </footer>
        }
      >
        {key === undefined && asked ? <Band tone="warn" icon="key" title={why ?? 'No key of yours is in this browser.'} action={pickKey}>{keyFault ?? 'You can write and check here. Sign where your owner’s key is, or with its file.'}</Band> : null}
        {fault === null ? null : <PolicyFindings fault={fault} onGo={go} />}
        <Section title="Text" note={<FilePick label="Load a file" accept=".yaml,.yml,.json,.md,text/*" onPick={(file) => void load(file)} />}>
          <Field label="Format">{(control) => <Select {...control} className="w-auto justify-self-start" value={format} onChange={(event) => { if (isFormat(event.target.value)) setFormat(event.target.value); }}>{policyFormats.map((one) => <option key={one} value={one}>{one}</option>)}</Select>}</Field>
          <label className="vh" htmlFor="policy-text">Policy text</label>
          <textarea id="policy-text" ref={area} className="policy-text" spellCheck={false} rows={24} value={text} onChange={(event) => setText(event.target.value)} />
        </Section>
        <Section title="What it changes" note={active === null ? 'nothing is in force' : `against r${active.revision}`}><Patch before={active?.text ?? ''} after={text} file="policy" /></Section>
      </DetailPane>
      {open && checked !== null && key !== undefined ? (
        <PolicySignDialog
          draft={checked} busy={applying.isPending} fault={refusalOf(applying.error)}
          onSign={() => applying.mutate({ ...checked, key }, { onSuccess: ({ revision }) => onDone(revision) })}
          onClose={() => { applying.reset(); setOpen(false); }}
        />
      ) : null}
    </>
  );
}
