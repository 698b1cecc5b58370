import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { text as textOf } from 'node:stream/consumers';

/**
 * Makes a `fetch` that uses one connection, so one worker of the server answers all requests: this worker shows a
 * change at once, others only within a second. Node's own `fetch` would use two connections in turn. The function
 * follows no redirects.
 */
export function oneConnection(url: string): typeof fetch {
  const { Agent, request: open } = new URL(url).protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return async (input, { method = 'GET', headers = {}, body, signal } = {}) => {
    // A form becomes bytes, and the type that names their boundary.
    const form = body instanceof FormData ? new Response(body) : null;
    const sent = form ? Buffer.from(await form.arrayBuffer()) : (body as string | undefined);
    const request = open(input as string, {
      method,
      headers: headers as Record<string, string>,
      agent,
      ...(signal ? { signal } : {}),
    });
    if (form) request.setHeader('content-type', form.headers.get('content-type') ?? '');
    // Node would send the body of a DELETE request without its length.
    if (sent !== undefined) request.setHeader('content-length', Buffer.byteLength(sent));
    request.end(sent);
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    const { statusCode: status = 0, headers: received } = response;
    const text = await textOf(response);
    return new Response(text === '' ? null : text, {
      status,
      headers: Object.entries(received).map(([name, value]) => [name, String(value)]),
    });
  };
}
