export interface PairingProps {
  readonly approval: 'signed' | 'refused' | 'waiting' | 'lapsed' | 'not_needed';
  readonly outcome: 'recorded' | 'waiting' | 'not_run';
}

const approvalClass = { signed: 'sg', refused: 'no', waiting: 'wait', lapsed: 'na', not_needed: 'na' } as const;
const outcomeClass = { recorded: 'f', waiting: 'wait', not_run: 'na' } as const;
const approvalWord = { signed: 'approval signed', refused: 'approval refused', waiting: 'approval waiting', lapsed: 'approval lapsed', not_needed: 'no approval needed' } as const;
const outcomeWord = { recorded: 'outcome recorded', waiting: 'no outcome yet', not_run: 'nothing ran' } as const;

/** Decision, approval and outcome of one action as three joined marks: which of the receipts that belong together exist. */
export function Pairing({ approval, outcome }: PairingProps) {
  const words = `Decision recorded, ${approvalWord[approval]}, ${outcomeWord[outcome]}`;
  return (
    <span className="pair" role="img" aria-label={words} title={words}>
      <i className="f" /><i className={approvalClass[approval]} /><i className={outcomeClass[outcome]} />
    </span>
  );
}
