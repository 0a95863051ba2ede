import net from 'node:net';

import { listenBefore } from './listen-before';

/**
 * Where to break: `sent` n: the server gets the first n messages of the transaction and then the end of the connection, the client hears
 * nothing of what they did. `heard` n: the client gets the first n answers of the server and then the end of the connection.
 */
export type Cut = { readonly sent: number } | { readonly heard: number };

export type MessageProxy = {
  readonly url: string;
  /** Breaks the next transaction that begins and is long enough, once. Gives whether it has. */
  readonly arm: (cut: Cut) => { readonly fired: () => boolean };
  /** Breaks nothing until armed again; `rearm` goes on with the last one, if it has broken nothing yet. */
  readonly disarm: () => void;
  readonly rearm: () => void;
  readonly close: () => Promise<void>;
};

/** A message as it goes over the wire: type, length that counts itself, text, zero. `Q` asks in plain text, `C` says that something was done. */
const message = (type: string, text: string): Buffer => Buffer.from([type.charCodeAt(0), 0, 0, 0, text.length + 5, ...Buffer.from(text), 0]);
const begin = message('Q', 'BEGIN');
const commit = message('Q', 'COMMIT');
const committed = message('C', 'COMMIT');

type Armed = { readonly cut: Cut; fired: boolean; taken: boolean };

/** Stands before a PostgreSQL and breaks connections at exactly one message of a transaction, so that a test can try every one of them. */
export async function cutAtMessage(databaseUrl: string): Promise<MessageProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<net.Socket>();
  let armed: Armed | null = null;
  let last: Armed | null = null;
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      // Messages are passed on one by one: waiting to gather them would cost a twenty-fifth of a second each.
      socket.setNoDelay(true);
      socket.on('close', () => sockets.delete(socket));
    }
    client.on('error', () => undefined);
    upstream.on('error', () => undefined);
    upstream.on('close', () => client.destroy());
    // What the server has is worked off before it notices the end.
    client.on('close', () => upstream.end());
    let own: Armed | null = null;
    let [sent, heard] = [0, 0];
    const breakNow = (one: Armed): void => {
      one.fired = true;
      client.destroy();
    };
    /** It was too short to be broken there, or undone: the next one that begins may be longer. */
    const spare = (): void => {
      if (own) own.taken = false;
      own = null;
    };
    const fromClient = splitter(true, (part) => {
      if (part.equals(begin)) {
        spare();
        own = armed?.taken === false ? armed : null;
        if (own) own.taken = true;
        [sent, heard] = [0, 0];
      }
      if (own?.fired === true) return;
      if (own && 'sent' in own.cut && sent++ === own.cut.sent) return breakNow(own);
      upstream.write(part);
      if (!own || !('sent' in own.cut) || !part.equals(commit)) return;
      // All that the transaction says was said: what breaks now breaks before the answer to COMMIT.
      if (sent === own.cut.sent) breakNow(own);
      else spare();
    });
    const fromServer = splitter(false, (part) => {
      if (own?.fired === true || client.destroyed) return;
      // A notice or a notification is no answer.
      const counts = part[0] !== 0x4e && part[0] !== 0x41;
      if (own && counts && 'heard' in own.cut && heard++ === own.cut.heard) return breakNow(own);
      client.write(part);
      if (part.equals(committed)) spare();
    });
    client.on('data', fromClient);
    upstream.on('data', fromServer);
  });
  return {
    ...(await listenBefore(databaseUrl, server, sockets)),
    arm: (cut) => {
      const one: Armed = { cut, fired: false, taken: false };
      armed = one;
      last = one;
      return { fired: () => one.fired };
    },
    disarm: () => {
      armed = null;
    },
    rearm: () => {
      armed = last;
    },
  };
}

/** Cuts a stream into the protocol's messages: a type of one byte, then a length that counts itself. A client's first one has no type. */
function splitter(beginsWithout: boolean, take: (part: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let typed = !beginsWithout;
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const head = typed ? 1 : 0;
      if (rest.length < head + 4) return;
      const end = head + rest.readUInt32BE(head);
      if (rest.length < end) return;
      const part = rest.subarray(0, end);
      rest = rest.subarray(end);
      typed = true;
      take(part);
    }
  };
}
