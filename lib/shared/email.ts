/**
 * The one spelling in which an e-mail address is stored and compared: trimmed, NFKC, lower case.
 * Two people whose addresses differ only in this are one person, or a requester could approve under another spelling.
 */
export const normalEmail = (email: string): string => email.trim().normalize('NFKC').toLowerCase();

/** True for an address in its one spelling: printable ASCII, one `@`, something on both sides, 254 characters at most. */
export const isNormalEmail = (email: string): boolean =>
  email.length <= 254 && /^[!-?A-~]+@[!-?A-~]+$/.test(email) && normalEmail(email) === email;
