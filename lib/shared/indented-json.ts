/** The very text of a document, one field a line, for people to read. Throws on what is not JSON. */
export function indentedJson(text: string): string {
  const value: unknown = JSON.parse(text);
  return JSON.stringify(value, null, 2);
}
