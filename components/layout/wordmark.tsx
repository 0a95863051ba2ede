/** The C and its two strokes: the agent's in ink, the person's in accent. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 24 24" fill="none" aria-hidden focusable="false">
      <path d="M15.4 4.75A8 8 0 1 0 15.4 19.25" stroke="currentColor" strokeWidth="2.5" />
      <path d="M12.9 16.8L16.5 7.2" stroke="currentColor" strokeWidth="2.1" />
      <path d="M17.7 16.8L21.3 7.2" stroke="var(--accent)" strokeWidth="2.5" />
    </svg>
  );
}

/** Mark and name. */
export function Wordmark() {
  return <><Mark /><span className="word">Countersign</span></>;
}
