import { Icon } from '@/components/ui/icon';
import { Section } from '@/components/ui/section';
import { checkTitles } from '@/lib/verify/report';

/** What a file will be asked, before there is one. */
export function WhatIsChecked() {
  const titles = Object.values(checkTitles);
  return (
    <Section title="What is checked" note={`${titles.length} checks, in this order`}>
      <ol className="limits what-checked">{titles.map((title) => <li key={title}><Icon name="dash" /><span>{title}</span></li>)}</ol>
    </Section>
  );
}
