/** What an inspector says about one text: undefined, or a finding without its place. */
export type Inspection = { readonly guard: string; readonly verdict: 'hold' | 'block'; readonly detail: string } | undefined;
