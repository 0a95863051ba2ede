import { parseAsStringLiteral } from 'nuqs/server';

export const editorPanels = ['problems', 'tests', 'simulate'] as const;
export type EditorPanel = (typeof editorPanels)[number];

/** What stands beside the text, and whether the text shows what differs from the policy in force. */
export const editorUrl = { panel: parseAsStringLiteral(editorPanels).withDefault('problems'), view: parseAsStringLiteral(['text', 'changes'] as const).withDefault('text') };
