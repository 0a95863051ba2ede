import type { ReactNode } from 'react';

export type IconName =
  | 'person' | 'service' | 'agent' | 'session' | 'role' | 'key' | 'tool' | 'untrusted' | 'nowhere'
  | 'check' | 'cross' | 'dash' | 'wider' | 'tighter' | 'search' | 'back' | 'down' | 'theme' | 'ledger'
  | 'caution' | 'stale' | 'export' | 'copy' | 'close' | 'overview' | 'approvals' | 'requests' | 'policies'
  | 'receipts' | 'link' | 'clock';

const stroke = { fill: 'none', stroke: 'currentColor' } as const;

const glyphs: Record<IconName, ReactNode> = {
  person: <g {...stroke} strokeWidth="1.5"><circle cx="8" cy="5" r="2.9" /><path d="M2.5 14c.5-3 2.7-4.6 5.5-4.6s5 1.6 5.5 4.6" /></g>,
  service: <path {...stroke} strokeWidth="1.4" d="M2 3h12v4H2zM2 9h12v4H2zM4.5 5h1M4.5 11h1" />,
  agent: <g {...stroke}><path strokeWidth="1.4" d="M8 1.2l5.9 3.4v6.8L8 14.8l-5.9-3.4V4.6z" /><path strokeWidth="1.6" d="M5.6 8h4.8" /></g>,
  session: <path {...stroke} strokeWidth="1.4" d="M1.7 3h12.6v10H1.7zM4.2 6.2L6 8l-1.8 1.8M8 10h3.5" />,
  role: <g {...stroke} strokeWidth="1.5"><circle cx="5.2" cy="8" r="3" /><path d="M8.2 8h6.3M12 8v2.8" /></g>,
  key: <g {...stroke} strokeWidth="1.5"><circle cx="5.5" cy="10.5" r="3.2" /><path d="M7.8 8.2L13.5 2.5M11 5l2 2" /></g>,
  tool: <g {...stroke} strokeWidth="1.5"><path d="M2 2h12v12H2z" /><path d="M5 8.2l2.1 2.1L11 6" /></g>,
  untrusted: <g {...stroke}><path strokeWidth="1.5" d="M2 2h12v12H2z" /><path strokeWidth="1.3" d="M2 8l6-6M2 14L14 2M8 14l6-6" /></g>,
  nowhere: <g {...stroke}><circle cx="8" cy="8" r="5.5" strokeWidth="1.5" strokeDasharray="2.3 1.9" /><path strokeWidth="1.4" d="M3 13L13 3" /></g>,
  check: <path {...stroke} strokeWidth="1.8" d="M3 8.5l3.3 3.3L13 4.5" />,
  cross: <path {...stroke} strokeWidth="1.8" d="M3.8 3.8l8.4 8.4M12.2 3.8l-8.4 8.4" />,
  dash: <path {...stroke} strokeWidth="1.7" d="M4 8h8" />,
  wider: <path {...stroke} strokeWidth="1.5" d="M1.5 8h13M4.5 5l-3 3 3 3M11.5 5l3 3-3 3" />,
  tighter: <path {...stroke} strokeWidth="1.5" d="M1 8h5.5M3.5 5l3 3-3 3M15 8H9.5M12.5 5l-3 3 3 3" />,
  search: <g {...stroke} strokeWidth="1.5"><circle cx="7" cy="7" r="4.3" /><path d="M10.3 10.3L14 14" /></g>,
  back: <path {...stroke} strokeWidth="1.6" d="M9.8 4l-4 4 4 4" />,
  down: <path {...stroke} strokeWidth="1.5" d="M4 6.2l4 4 4-4" />,
  theme: <g><circle {...stroke} cx="8" cy="8" r="5.7" strokeWidth="1.4" /><path fill="currentColor" d="M8 2.3a5.7 5.7 0 0 1 0 11.4z" /></g>,
  ledger: <path {...stroke} strokeWidth="1.3" d="M2 3h12M2 6.5h12M2 11h12M2 13.3h12" />,
  caution: <g {...stroke}><path strokeWidth="1.4" d="M8 1.8l6.7 12H1.3z" /><path strokeWidth="1.5" d="M8 6.2v3.6M8 11.2v1.3" /></g>,
  stale: <path {...stroke} strokeWidth="1.4" d="M7.5 4.5l1.6-1.6a2.8 2.8 0 0 1 4 4l-1.6 1.6M8.5 11.5l-1.6 1.6a2.8 2.8 0 0 1-4-4l1.6-1.6M3 3l10 10" />,
  export: <path {...stroke} strokeWidth="1.5" d="M8 10V2M4.8 5L8 1.8 11.2 5M2.5 9.5V14h11V9.5" />,
  copy: <path {...stroke} strokeWidth="1.4" d="M5.5 5.5V2h8.5v8.5h-3.5M2 5.5h8.5V14H2z" />,
  close: <path {...stroke} strokeWidth="1.6" d="M4 4l8 8M12 4l-8 8" />,
  overview: <path {...stroke} strokeWidth="1.4" d="M2 13.5h12M3.5 11V7M8 11V2.5M12.5 11V5" />,
  approvals: <path {...stroke} strokeWidth="1.5" d="M11 3.2A6 6 0 1 0 11 12.8M9.3 11L11.5 5M12.3 11L14.5 5" />,
  requests: <path {...stroke} strokeWidth="1.4" d="M2 2.7h12v8.6H7.5L4.5 14v-2.7H2z" />,
  policies: <path {...stroke} strokeWidth="1.4" d="M3 1.7h7l3 3v9.6H3zM5.5 7h5M5.5 10h5" />,
  receipts: <path {...stroke} strokeWidth="1.4" d="M3 1.5h10v13l-2-1.4-1.5 1.4L8 13.1l-1.5 1.4L5 13.1l-2 1.4zM5.5 5h5M5.5 8h5" />,
  link: <path {...stroke} strokeWidth="1.4" d="M7 9l5-5M8.5 2.5H13.5V7.5M11.5 9v4.5h-9v-9H7" />,
  clock: <g {...stroke} strokeWidth="1.4"><circle cx="8" cy="8" r="6" /><path d="M8 4.5V8l2.3 1.6" /></g>,
};

interface IconProps {
  readonly name: IconName;
  readonly small?: boolean;
  readonly className?: string;
  /** Says what the icon means where no word beside it does; without it the icon is decoration to a screen reader. */
  readonly label?: string;
}

/** One glyph of the console's own set, drawn in the current ink on a 16-unit square. */
export function Icon({ name, small = false, className, label }: IconProps) {
  const size = small ? 'i-s' : 'i';
  const naming = label === undefined ? ({ 'aria-hidden': true } as const) : ({ role: 'img', 'aria-label': label } as const);
  return <svg viewBox="0 0 16 16" focusable="false" className={className === undefined ? size : `${size} ${className}`} {...naming}>{glyphs[name]}</svg>;
}
