import { tinyPng } from './tiny-png.js';

/** The route that takes a form instead of JSON. */
const FORM_ROUTE = /^\/media\/?(?:\?|$)/;

/** What stands in a body for a picture. */
export const A_PICTURE = '(a picture)';

const BOUNDARY = 'a-boundary-of-the-tests';

/** A body with its content type. */
export interface TypedBody {
  readonly type: string;
  readonly bytes: string | Buffer;
}

/** The body of a request: JSON, or a form with the same fields for the route that takes one. */
export function typedBody(method: string, path: string, body: unknown): TypedBody {
  const isForm = method === 'POST' && FORM_ROUTE.test(path);
  return isForm ? formOf(body) : { type: 'application/json', bytes: JSON.stringify(body) };
}

/** @param body its fields; a value that is no text is sent as JSON */
function formOf(body: unknown): TypedBody {
  // `JSON.parse` also gives what a body says of `__proto__`.
  const fields = Object.entries(JSON.parse(JSON.stringify(body)) as Record<string, unknown>);
  const parts = fields.map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const isFile = text === A_PICTURE;
    const file = isFile ? '; filename="tiny.png"\r\nContent-Type: image/png' : '';
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${escaped(name)}"${file}\r\n\r\n`;
    return Buffer.concat([Buffer.from(head), isFile ? tinyPng() : Buffer.from(text), CRLF]);
  });
  return {
    type: `multipart/form-data; boundary=${BOUNDARY}`,
    bytes: Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]),
  };
}

const CRLF = Buffer.from('\r\n');

/** Writes a name as browsers do (HTML Standard, "multipart/form-data encoding algorithm"). */
function escaped(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}
