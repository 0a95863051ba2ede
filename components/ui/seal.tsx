/** The rosette. Only where something is verified or about to be signed. */
export function Seal({ className }: { readonly className?: string }) {
  return <svg className={className === undefined ? 'seal' : `seal ${className}`} viewBox="0 0 64 64" aria-hidden focusable="false"><use href="/seal.svg#seal" /></svg>;
}
