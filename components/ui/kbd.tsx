/** A key cap. Hidden on phones, where there is no keyboard to hint at. */
export function Kbd({ children }: { readonly children: string }) {
  return <kbd>{children}</kbd>;
}
