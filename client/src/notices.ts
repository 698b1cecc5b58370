import { orAborted, wait } from './abort.ts';
import type { PressroomClient } from './client.ts';
import { UnauthorizedError } from './errors.ts';
import type { Item } from './types.ts';

export type Notice = Item<'/notices'>;

/** Pauses in milliseconds before the stream is opened again: the first, which doubles, and the longest. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

export interface FollowOptions {
  /** Ends the calls. */
  readonly signal: AbortSignal;
  /** Tabs with the same name share a stream: name the user if several may be signed in. */
  readonly name?: string;
  /** The `seq` of the last notice that you have; only later ones follow. */
  readonly after?: number;
}

/** A message of the tab that reads the stream to the others. */
interface Told {
  readonly id: string;
  readonly notice: Notice;
}

/**
 * Calls `onNotice` with each new notice until the signal is aborted. A browser opens one stream for all its tabs; when
 * the tab that reads it is closed, another one goes on. A notice may come twice.
 *
 * @throws UnauthorizedError when nobody is signed in any more
 */
export async function followNotices(
  client: PressroomClient,
  onNotice: (notice: Notice) => void,
  { signal, name = 'pressroom notices', after }: FollowOptions,
): Promise<void> {
  let last = after === undefined ? undefined : String(after);
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(name);
  const receive = ({ id, notice }: Told): void => {
    last = id;
    onNotice(notice);
  };
  const read = async (): Promise<void> => {
    for (let pause = FIRST_PAUSE_MS; !signal.aborted;) {
      try {
        const headers = last === undefined ? {} : { 'last-event-id': last };
        const response = await client.openStream('/notices/stream', { signal, headers });
        pause = FIRST_PAUSE_MS;
        for await (const told of noticesIn(response)) {
          receive(told);
          channel?.postMessage(told);
        }
      } catch (error) {
        if (signal.aborted || error instanceof UnauthorizedError) throw error;
        pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
      }
      // Half of the pause is random, so that browsers do not all come back at the same moment.
      await wait((pause * (1 + Math.random())) / 2, signal);
    }
  };
  const locks = typeof navigator === 'undefined' ? undefined : navigator.locks;
  if (channel) channel.onmessage = ({ data }: { data: unknown }) => receive(data as Told);
  try {
    await orAborted(signal, channel && locks ? locks.request(name, { signal }, read) : read());
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    channel?.close();
  }
}

/** Reads server-sent events (HTML, section 9.2.6) of the one form that the server sends. */
async function* noticesIn(response: Response): AsyncGenerator<Told> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const chunk = await reader?.read();
    if (!chunk || chunk.done) return;
    text += decoder.decode(chunk.value, { stream: true });
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const [, id, data] = /^id: (\d+)\nevent: notice\ndata: (.+)$/.exec(event) ?? [];
      if (id && data) yield { id, notice: JSON.parse(data) as Notice };
    }
  }
}
