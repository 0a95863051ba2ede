/** Hands a text to the browser's own saving, under this name. */
export function downloadText(name: string, text: string, type = 'text/plain'): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser has taken its copy of the address by the end of this turn of its loop.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
