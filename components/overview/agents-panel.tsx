import Link from 'next/link';

import { Panel } from '@/components/ui/section';
import type { OverviewView } from '@/lib/contracts/console/overview';

const shown = 10;

/** Agents by what they did in the last hour. */
export function AgentsPanel({ agents }: { readonly agents: OverviewView['agents'] }) {
  return (
    <Panel title="Agents" note={<Link className="link" href="/agents">{agents.length} registered</Link>} className="span-8">
      {agents.length === 0 ? <p className="meta2 mt-4">No agent is registered yet.</p> : (
        <table className="agents">
          <caption className="vh">Agents and their last hour</caption>
          <thead><tr><th scope="col">Agent</th><th scope="col">State</th><th scope="col" className="right">Last hour</th><th scope="col" className="right">Held</th><th scope="col" className="right">Denied</th></tr></thead>
          <tbody>
            {agents.slice(0, shown).map((agent) => (
              <tr key={agent.id}>
                <th scope="row">{agent.id}</th>
                <td>{agent.suspended ? <b className="bad">Suspended</b> : agent.decided === 0 ? <span className="t3">Quiet</span> : 'Working'}</td>
                <td className="right num">{agent.decided.toLocaleString('en')}</td>
                <td className="right num">{agent.held.toLocaleString('en')}</td>
                <td className="right num">{agent.denied.toLocaleString('en')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}
