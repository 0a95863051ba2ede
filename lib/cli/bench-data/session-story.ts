import { pickSkewed, type RandomSource } from './random-source';
import { ActionStory } from './action-story';
import { benchAgents, benchHumans } from './bench-world';
import type { SessionAt, Step, StoryWorld } from './story-world';

/** Actions of a session on average. */
const actionsPerSession = 6;

/**
 * One session from its opening to its end, told receipt by receipt in the order in which the plane would write them: what an
 * action needs next comes before the next action.
 */
export class SessionStory {
  readonly #steps: ((at: string) => Step)[];
  readonly #session: SessionAt;
  #over = false;

  constructor(
    private readonly world: StoryWorld,
    private readonly random: RandomSource,
  ) {
    const agent = pickSkewed(random, benchAgents);
    this.#session = { id: world.ids.make('session'), agent: agent.id, role: agent.role, human: pickSkewed(random, benchHumans), head: world.digest(), seq: 1 };
    this.#steps = [(at) => this.#opened(at)];
    if (random() < 0.2) this.#steps.push(() => this.#message());
  }

  /** The next receipt, or undefined when the session has ended. */
  next(at: string): Step | undefined {
    if (this.#steps.length === 0 && !this.#over) this.#goOn();
    return this.#steps.shift()?.(at);
  }

  #goOn(): void {
    if (this.random() < 1 / actionsPerSession) {
      this.#over = true;
      this.#steps.push(() => this.#closed());
    } else {
      this.#steps.push(...new ActionStory(this.world, this.random, this.#session).steps());
    }
  }

  #opened(at: string): Step {
    const { id, human, agent, role, head, seq } = this.#session;
    const body = {
      session: id, human, service: this.world.service, agent, role, scope: [], delegation: [], request_digest: this.world.digest(),
      request_assurance: 'orchestrator', expires_at: this.world.later(at, 86_400), context_head: head, context_seq: seq,
    } as const;
    return { kind: 'session_opened', body, columns: { session: id, agent, person: human } };
  }

  #message(): Step {
    const session = this.#session;
    this.world.lengthen(session);
    const body = { session: session.id, message_digest: this.world.digest(), by: { kind: 'orchestrator', id: 'desk' }, context_head: session.head, context_seq: session.seq } as const;
    return { kind: 'message_recorded', body, columns: { session: session.id, agent: session.agent, person: session.human } };
  }

  #closed(): Step {
    const { id, agent, human, head, seq } = this.#session;
    const body = { session: id, cause: 'closed', by: { kind: 'orchestrator', id: 'desk' }, context_head: head, context_seq: seq } as const;
    return { kind: 'session_closed', body, columns: { session: id, agent, person: human } };
  }
}
