'use client';

import { Menu } from '@base-ui/react/menu';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';

import { Icon } from '@/components/ui/icon';
import { savedViewsQuery } from '@/lib/client/receipt-queries';
import type { ReceiptFilters } from '@/lib/contracts/console/receipt-filters';

import { builtInViews, sameFilters } from './built-in-views';
import { ManageViewsDialog } from './manage-views-dialog';
import { SaveViewDialog } from './save-view-dialog';

interface ViewsMenuProps {
  readonly filters: ReceiptFilters;
  readonly onOpen: (filters: ReceiptFilters) => void;
}

/** Lists by name: those that everybody has, and the person's own. */
export function ViewsMenu({ filters, onOpen }: ViewsMenuProps) {
  const { data } = useQuery(savedViewsQuery());
  const [dialog, setDialog] = useState<'save' | 'manage' | null>(null);
  const own = data?.views ?? [];
  const empty = sameFilters(filters, {});
  const current = empty ? undefined : [...own, ...builtInViews].find((view) => view.filters !== null && sameFilters(view.filters, filters))?.name;
  return (
    <>
      <Menu.Root modal={false}>
        <Menu.Trigger className="btn btn-s">View{current === undefined ? 's' : `: ${current}`}<Icon name="down" small /></Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner className="menu-at" align="start" sideOffset={6}>
            <Menu.Popup className="menu menu-long">
              <Menu.Item className="menu-item" onClick={() => onOpen({})}><span className="menu-tick">{empty ? <Icon name="check" small label="Shown now" /> : null}</span>Every receipt</Menu.Item>
              {builtInViews.map((view) => <Entry key={view.name} name={view.name} filters={view.filters} current={current} onOpen={onOpen} />)}
              <Menu.Item className="menu-item" render={<Link href="/receipts/reconciliation?list=outcome_missing" />}><span className="menu-tick" />Without outcome</Menu.Item>
              <Menu.Separator className="menu-rule" />
              {own.length === 0 ? <p className="meta menu-note">You have saved none yet.</p> : (
                <Menu.Group>
                  <Menu.GroupLabel className="meta menu-note">Your own</Menu.GroupLabel>
                  {own.map(({ id, name, filters: saved }) => (saved === null
                    ? <p key={id} className="meta menu-note">{name}: this version can’t read it.</p>
                    : <Entry key={id} name={name} filters={saved} current={current} onOpen={onOpen} />))}
                </Menu.Group>
              )}
              <Menu.Separator className="menu-rule" />
              <Menu.Item className="menu-item" disabled={empty} onClick={() => setDialog('save')}>Save what is shown…</Menu.Item>
              <Menu.Item className="menu-item" disabled={own.length === 0} onClick={() => setDialog('manage')}>Rename or delete…</Menu.Item>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      {dialog === 'save' ? <SaveViewDialog filters={filters} onClose={() => setDialog(null)} /> : null}
      {dialog === 'manage' ? <ManageViewsDialog views={own} onClose={() => setDialog(null)} /> : null}
    </>
  );
}

function Entry({ name, filters, current, onOpen }: { readonly name: string; readonly filters: ReceiptFilters; readonly current: string | undefined; readonly onOpen: (filters: ReceiptFilters) => void }) {
  return (
    <Menu.Item className="menu-item" onClick={() => onOpen(filters)}>
      <span className="menu-tick">{current === name ? <Icon name="check" small label="Shown now" /> : null}</span>{name}
    </Menu.Item>
  );
}
