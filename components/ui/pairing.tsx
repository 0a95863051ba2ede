export interface PairingProps {
  readonly decision: 'recorded';
  readonly approval: 'signed' | 'refused' | 'waiting' | 'not_needed';
  readonly outcome: 'recorded' | 'waiting' | 'not_run';
}

const approvalClass = { signed: 'sg', refused: 'no', waiting: 'wait', not_needed: 'na' } as const;
const outcomeClass = { recorded: 'f', waiting: 'wait', not_run: 'na' } as const;
const approvalWord = { signed: 'approval signed', refused: 'approval refused', waiting: 'approval waiting', not_needed: 'no approval needed' } as const;
const outcomeWord = { recorded: 'outcome recorded', waiting: 'outcome pending', not_run: 'nothing ran' } as const;

/** Decision, approval and outcome of one action as three joined marks: which of the receipts that belong together exist. */
export function Pairing({ decision, approval, outcome }: PairingProps) {
  return (
    <span className="pair" role="img" aria-label={`Decision ${decision}, ${approvalWord[approval]}, ${outcomeWord[outcome]}`}>
      <i className="f" /><i className={approvalClass[approval]} /><i className={outcomeClass[outcome]} />
    </span>
  );
}

/** How many of the facts a decision needs are there. Squares, for a ring is only ever a signature. */
export function FactSquares({ present, of }: { readonly present: number; readonly of: number }) {
  return (
    <span className="facts-n" role="img" aria-label={`${present} of ${of} facts present`}>
      {Array.from({ length: of }, (_, index) => <i key={index} className={index < present ? 'has' : undefined} />)}
    </span>
  );
}
