import net from 'node:net';

import { createTransport } from 'nodemailer';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';

import { isInnerHost } from '@/lib/guards/inner-host';
import type { Notifier, NoticeText } from '@/lib/ports/notifier';
import { fail, ok, type Result } from '@/lib/shared/result';

import { lookUpOuter } from '../post-json';
import { plainNotice } from './plain-notice';

/** A mail server that takes messages. `login`: what it asks for, when it asks. `allowInner`: it may lie on an inner network, and take mail without TLS. */
export type MailServer = {
  /** As URLs of http have it: numbers dotted, IPv6 in brackets. */
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte (RFC 8314); else STARTTLS (RFC 3207), which must succeed unless `allowInner`, and always where there is a login: no password goes in the clear. */
  readonly implicitTls: boolean;
  readonly from: string;
  readonly login: { readonly user: string; readonly pass: string } | undefined;
  readonly allowInner: boolean;
  readonly deadlineMs: number;
};

/** Sends each message to one person by SMTP (RFC 5321), in plain text: nothing in it is markup. */
export const smtpNotifier = (server: MailServer): Notifier => ({
  channel: 'email',
  send: async (text, address) => (address === null ? fail('unavailable', 'Nobody is named.') : await send(server, mailOf(text, address, server.from))),
});

type Mail = { readonly from: string; readonly to: string; readonly subject: string; readonly text: string; readonly date: string; readonly headers: Readonly<Record<string, string>> };

/** `Auto-Submitted` (RFC 3834) keeps answering programs from answering. */
export function mailOf(text: NoticeText, to: string, from: string): Mail {
  const { title, call } = plainNotice(text);
  return {
    from, to, subject: `Countersign: ${title}`, date: text.at,
    text: `${title}\n\n${call}: ${text.link}\n\nThe link works after signing in. Nothing can be approved by answering this message.\n`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Countersign-Notice': text.id },
  };
}

/** One connection a message: a mail server is busy with other things, and what is told is bounded by place. */
async function send(server: MailServer, mail: Mail): Promise<Result<null>> {
  if (!server.allowInner && isInnerHost(server.host)) return fail('unavailable', notAllowed);
  const host = server.host.replace(/^\[|\]$/g, '');
  let socket: net.Socket | undefined;
  const transport = createTransport({
    host, port: server.port, secure: server.implicitTls, requireTLS: !server.implicitTls && (!server.allowInner || server.login !== undefined),
    ...(server.login ? { auth: server.login } : {}),
    connectionTimeout: server.deadlineMs, greetingTimeout: server.deadlineMs, socketTimeout: server.deadlineMs,
    // Whatever a message names, no file and no address is read for it.
    disableFileAccess: true, disableUrlAccess: true,
    // Its own way to a socket resolves the name unseen; here the address is judged for the very connection.
    getSocket: (_options: unknown, done: (error: Error | null, found?: { connection: net.Socket }) => void) => {
      const opened = net.connect({ host, port: server.port, ...(server.allowInner ? {} : { lookup: lookUpOuter }) });
      socket = opened;
      opened.once('error', done);
      opened.once('connect', () => {
        opened.removeListener('error', done);
        done(null, { connection: opened });
      });
    },
  } as SMTPConnection.Options);
  const late = Symbol('late');
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<typeof late>((settle) => (timer = setTimeout(() => settle(late), server.deadlineMs)));
  try {
    const sent = await Promise.race([transport.sendMail({ ...mail, headers: { ...mail.headers } }).then(() => ok(null), faultOf), deadline]);
    return sent === late ? fail('unavailable', 'It did not answer in time.') : sent;
  } finally {
    clearTimeout(timer);
    transport.close();
    socket?.destroy();
  }
}

const notAllowed = 'It is not at a public address, and nobody allowed that.';

/** What the server answered may hold anything: only its number is told. */
function faultOf(cause: unknown): Result<null> {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const answered = cause instanceof Error && 'responseCode' in cause && typeof cause.responseCode === 'number' ? cause.responseCode : undefined;
  if (code === 'EINNER') return fail('unavailable', notAllowed);
  if (code === 'EAUTH') return fail('unavailable', 'It does not take the name and password.');
  if (code === 'ETLS') return fail('unavailable', 'It speaks no TLS, or its certificate does not hold.');
  return fail('unavailable', answered === undefined ? 'It could not be reached.' : `It answered ${String(answered)}.`);
}
