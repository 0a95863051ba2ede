export type GivenFields = { readonly request: string; readonly labels: string; readonly agent: string; readonly more: string };

/** The fields of the form as the `given` of a test. What is written out below wins nothing: a key that stands twice is told. */
export function givenText({ request, labels, agent, more }: GivenFields): string {
  const listed = labels.split(/[,\s]+/).filter((label) => label !== '');
  return [
    ...(request.trim() === '' ? [] : [`request: ${JSON.stringify(request)}`]),
    ...(listed.length === 0 ? [] : [`labels: ${JSON.stringify(listed)}`]),
    ...(agent.trim() === '' ? [] : [`role: ${JSON.stringify(agent.trim())}`]),
    ...(more.trim() === '' ? [] : [more]),
  ].join('\n');
}
