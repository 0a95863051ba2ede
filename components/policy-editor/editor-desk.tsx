'use client';

import { Tabs } from '@base-ui/react/tabs';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useQueryStates } from 'nuqs';
import { useMemo, useState } from 'react';

import { Count } from '@/components/ui/tabs';
import { editorPanels, editorUrl } from '@/lib/client/editor-url';
import type { Problem } from '@/lib/client/policy-desk-messages';
import { policiesQuery, revisionTextQuery } from '@/lib/client/queries';
import { takeOver } from '@/lib/client/take-over';
import type { PolicyEditorView } from '@/lib/contracts/console/policy-drafts';
import type { PersonId } from '@/lib/shared/ids';

import { CaretLine } from './caret-line';
import { CodePane, type CodeHandle } from './code-pane';
import { DraftBands } from './draft-bands';
import { EditorBar } from './editor-bar';
import { EditorHead } from './editor-head';
import { ProblemsPanel } from './problems-panel';
import { SimulatePanel } from './simulate-panel';
import { TestsPanel } from './tests-panel';
import { beginning, useDraft } from './use-draft';
import { usePolicyDesk } from './use-policy-desk';

const panelNames = { problems: 'Problems', tests: 'Tests', simulate: 'Simulate a call' } as const;
const none: readonly Problem[] = [];

/** The editor with what stands beside it: everything that tells what a text would do, before anybody is asked to sign it. */
export default function EditorDesk({ view, person }: { readonly view: PolicyEditorView; readonly person: PersonId }) {
  const client = useQueryClient();
  const [url, setUrl] = useQueryStates(editorUrl, { history: 'replace' });
  const draft = useDraft(view);
  const { text, format, tests, base } = draft.content;
  const names = useMemo(() => ({ groups: view.groups, agents: view.agents }), [view]);
  const desk = usePolicyDesk({ text, format }, tests, names);
  const policies = useQuery(policiesQuery());
  const inForce = policies.data?.in_force ?? view.in_force;
  const [handle, setHandle] = useState<CodeHandle | null>(null);
  const [caret, setCaret] = useState({ line: 1, column: 1 });
  const [takeOverFault, setTakeOverFault] = useState<string | null>(null);
  const problems = desk.check.checked?.policy ?? none;

  const take = (fresh: PolicyEditorView) => handle?.replace(beginning(fresh).text);
  async function takeOverChanges(): Promise<void> {
    if (inForce === null || base === null) return;
    const before = await client.fetchQuery(revisionTextQuery(base.revision)).catch(() => null);
    const merged = before === null ? null : takeOver(before.text, inForce.text, text);
    if (merged === null) return setTakeOverFault(before === null ? `r${base.revision} could not be read.` : 'Both changed the same lines. Compare, and write what should hold.');
    setTakeOverFault(null);
    handle?.replace(merged);
    draft.change({ text: merged, base: { revision: inForce.revision, digest: inForce.digest } });
  }

  return (
    <main className="desk" id="content" tabIndex={-1}>
      <EditorHead
        draft={draft} inForce={inForce} comparing={url.view === 'changes'} onCompare={(on) => void setUrl({ view: on ? 'changes' : 'text' })}
        onFile={(loaded, as) => { draft.change({ format: as }); handle?.replace(loaded); }} onDiscarded={take}
      />
      <div className="desk-bands">
        <DraftBands
          draft={draft} inForce={inForce} onLoaded={take} onCompare={() => void setUrl({ view: 'changes' })} onTakeOver={() => void takeOverChanges()} takeOverFault={takeOverFault}
          onRest={() => { if (inForce !== null) draft.change({ base: { revision: inForce.revision, digest: inForce.digest } }); }}
        />
      </div>
      <section className="desk-code" aria-label="Text">
        <CodePane
          label={`Policy text, ${format}`} initial={text} format={format} problems={problems} original={url.view === 'changes' && inForce !== null ? inForce.text : null}
          help={desk.help} onChange={(typed) => draft.change({ text: typed })} onCaret={setCaret} handle={setHandle}
        />
        <CaretLine caret={caret} problems={problems} />
      </section>
      <Tabs.Root className="desk-side" value={url.panel} onValueChange={(value: (typeof editorPanels)[number]) => void setUrl({ panel: value })} render={<aside aria-label="Beside the text" />}>
        <Tabs.List className="desk-tabs">
          {editorPanels.map((panel) => (
            <Tabs.Tab key={panel} value={panel}>{panelNames[panel]}{panel === 'problems' && problems.length > 0 ? <Count value={problems.length} /> : panel === 'tests' && (desk.check.checked?.cases ?? 0) > 0 ? <Count value={desk.check.checked?.cases ?? 0} /> : null}</Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="problems" className="desk-panel"><ProblemsPanel check={desk.check} problems={problems} what="The policy" onGo={(place) => handle?.goTo(place)} /></Tabs.Panel>
        <Tabs.Panel value="tests" className="desk-panel"><TestsPanel link={desk.link} policy={{ text, format }} tests={tests} check={desk.check} onChange={(typed) => draft.change({ tests: typed })} /></Tabs.Panel>
        <Tabs.Panel value="simulate" className="desk-panel"><SimulatePanel link={desk.link} draft={{ text, format }} inForce={inForce} tools={desk.check.checked?.tools ?? []} agents={view.agents} /></Tabs.Panel>
      </Tabs.Root>
      <EditorBar check={desk.check} draft={draft} inForce={inForce} person={person} />
    </main>
  );
}
