'use client';

import { axisMarks, columnStack, stackOrder, type DecisionCounts } from '@/components/ui/column-stacks';
import { DecisionMark } from '@/components/ui/decision-mark';
import { decisionHue, decisionWord } from '@/components/ui/decision-kind';

export interface DecisionColumn {
  /** Written under the axis and in the table: "13:06". */
  readonly label: string;
  readonly counts: DecisionCounts;
}

interface DecisionColumnsProps {
  /** What is counted over what: "Decisions per minute over the last hour". */
  readonly title: string;
  /** Oldest first. */
  readonly columns: readonly DecisionColumn[];
  /** Heads the first column of the table: "Minute". */
  readonly unit: string;
}

const width = 888;
const left = 24;
const top = 12;
const baseline = 224;

/** Decisions over time as stacked columns, with a summary in words, a legend that counts, and the same numbers as a table. */
export function DecisionColumns({ title, columns, unit }: DecisionColumnsProps) {
  const totals = sum(columns);
  const largest = Math.max(1, ...columns.map((column) => total(column.counts)));
  const perDecision = (baseline - top) / largest;
  const step = (width - left) / Math.max(1, columns.length);
  const summary = `${title}: ${[...stackOrder].reverse().map((decision) => `${totals[decision]} ${decisionWord[decision].toLowerCase()}`).join(', ')}`;
  return (
    <>
      <div className="scroll-x" ref={atNewest} tabIndex={0} role="group" aria-label="Chart">
        <svg className="chart" viewBox={`0 0 ${width} 246`} role="img" aria-label={summary} focusable="false">
          {axisMarks(largest).map((mark) => (
            <g key={mark}>
              <path className={mark === 0 ? 'axis' : 'grid'} d={`M${left} ${baseline - mark * perDecision}H${width}`} />
              <text x={left - 7} y={baseline - mark * perDecision + 4} textAnchor="end">{mark.toLocaleString('en')}</text>
            </g>
          ))}
          {columns.map((column, index) => columnStack(column.counts, baseline, perDecision).map((part) => (
            <rect key={`${column.label} ${part.decision}`} className="b" data-d={decisionHue[part.decision]} x={left + index * step + 1.5} y={part.y} width={Math.max(1, step - 3)} height={part.height} />
          )))}
          {columns.map((column, index) => (index % Math.max(1, Math.round(columns.length / 4)) === 0
            ? <text key={column.label} x={left + index * step} y="241" textAnchor="start">{column.label}</text> : null))}
        </svg>
      </div>
      <div className="legend">
        {[...stackOrder].reverse().map((decision) => (
          <span key={decision} data-d={decisionHue[decision]}><DecisionMark decision={decision} label={null} className="solid" />{decisionWord[decision]} <b>{totals[decision].toLocaleString('en')}</b></span>
        ))}
      </div>
      <details className="as-table">
        <summary className="link">Show as table</summary>
        <table className="ruled">
          <caption className="vh">{title}</caption>
          <thead><tr><th scope="col">{unit}</th>{stackOrder.map((decision) => <th key={decision} scope="col" className="right">{decisionWord[decision]}</th>)}</tr></thead>
          <tbody>
            {columns.map((column) => <tr key={column.label}><th scope="row">{column.label}</th>{stackOrder.map((decision) => <td key={decision} className="right">{column.counts[decision]}</td>)}</tr>)}
          </tbody>
        </table>
      </details>
    </>
  );
}

/** Where the chart is wider than its pane, the newest end is what one came for. */
function atNewest(pane: HTMLDivElement | null) {
  if (pane !== null) pane.scrollLeft = pane.scrollWidth;
}

function total(counts: DecisionCounts): number {
  return stackOrder.reduce((all, decision) => all + counts[decision], 0);
}

function sum(columns: readonly DecisionColumn[]): DecisionCounts {
  const all = { ALLOW: 0, DENY: 0, MODIFY: 0, STEP_UP: 0, DEFER: 0 };
  for (const column of columns) for (const decision of stackOrder) all[decision] += column.counts[decision];
  return all;
}
