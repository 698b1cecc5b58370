import { connect } from 'node:net';
import { CREDENTIALS } from '../../scripts/support/own-server.ts';

/** All of 127/8 is this machine: so the server's connections with them can be told apart. */
export const SLOW_ADDRESS = '127.0.0.2';

const DRIP_MS = 1_000;

const BODY_LENGTH = 100_000;
const LINES_BEFORE_BODY = [
  'POST /contact HTTP/1.1',
  'host: slow.example',
  `x-api-key: ${CREDENTIALS.apiKey}`,
  'content-type: application/json',
  `content-length: ${BODY_LENGTH}`,
];

/** What each kind writes at once, and whether a byte follows every second. */
export const KINDS = {
  headers: {
    first: 'GET /blogs/latest HTTP/1.1\r\nhost: slow.example\r\nx-slow: ',
    isDripping: true,
  },
  body: { first: `${[...LINES_BEFORE_BODY, '', ''].join('\r\n')}{`, isDripping: true },
  silence: { first: '', isDripping: false },
};

/**
 * Opens a slow connection that never closes its own side, as one who means harm would not.
 *
 * @returns resolves with the seconds until the server has ended its side or reset the connection
 */
export function openSlowSocket(url, kind) {
  const { hostname, port } = new URL(url);
  const { first, isDripping } = KINDS[kind];
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname,
      port: Number(port),
      localAddress: SLOW_ADDRESS,
      allowHalfOpen: true,
    });
    let openedAt = performance.now();
    let drip;
    const cut = () => resolve((performance.now() - openedAt) / 1_000);
    socket.on('connect', () => {
      openedAt = performance.now();
      socket.write(first);
      if (isDripping) drip = setInterval(() => socket.write('a'), DRIP_MS);
    });
    socket.on('error', cut);
    socket.on('end', cut);
    socket.on('close', () => {
      clearInterval(drip);
      cut();
    });
    socket.resume();
  });
}
