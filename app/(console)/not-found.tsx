import { Page } from '@/components/layout/board';
import { ButtonLink } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/pane-states';

export default function NotFound() {
  return (
    <Page title="Not found">
      <EmptyState title="There is nothing at this address, or you may not see it." action={<ButtonLink href="/">To the overview</ButtonLink>}>Nothing was changed. Check the link, or ask whoever sent it.</EmptyState>
    </Page>
  );
}
