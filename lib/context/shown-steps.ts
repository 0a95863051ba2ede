import type { ContextEntry, RequestAssurance } from './entry';

/** What people are shown of a session beside an action: what was asked, and the latest steps with the labels that the session had after each. */
export type ShownStep = {
  readonly at: string;
  readonly kind: 'request' | 'permit' | 'outcome' | 'attribute' | 'untrusted_text';
  /** `tool.operation`, the attribute's name, or empty for a request. */
  readonly subject: string;
  readonly labels: readonly string[];
};

/** A request in full, quoted and attached text included. */
export type SpokenRequest = { readonly at: string; readonly text: string; readonly assurance: RequestAssurance };

const mostSteps = 60;
const mostRequests = 20;

/** Kept as the chain grows, so that showing a long session costs no more than a short one. The first request stays: it is what the task was. */
export class ShownSteps {
  readonly steps: ShownStep[] = [];
  readonly requests: SpokenRequest[] = [];

  copy(): ShownSteps {
    const copied = new ShownSteps();
    copied.steps.push(...this.steps);
    copied.requests.push(...this.requests);
    return copied;
  }

  /** `done`: `tool.operation` of the action that an outcome is of. `labels` are those after the entry. */
  add(entry: ContextEntry, done: string, labels: readonly string[]): void {
    const { at } = entry;
    switch (entry.kind) {
      case 'request':
        this.requests.push({ at, text: entry.text, assurance: entry.assurance });
        if (this.requests.length > mostRequests) this.requests.splice(1, 1);
        return this.step({ at, kind: 'request', subject: '', labels });
      case 'permit':
        return this.step({ at, kind: 'permit', subject: `${entry.tool}.${entry.operation}`, labels });
      case 'outcome':
        return this.step({ at, kind: entry.trusted || entry.output === '' ? 'outcome' : 'untrusted_text', subject: done, labels });
      case 'attribute':
        return this.step({ at, kind: 'attribute', subject: entry.name, labels });
      case 'person_value':
      case 'lowering':
      case 'inherited':
      case 'delegation':
        return;
    }
  }

  private step(step: ShownStep): void {
    this.steps.push(step);
    if (this.steps.length > mostSteps) this.steps.shift();
  }
}
