/**
 * Bare Fastify with one route, which sends one prebuilt answer: the most that a server on this
 * framework can reach. The answer is one of Pressroom, taken while the bench runs; only
 * `x-request-id` is a constant here, and new for each request there.
 */
import { readFileSync } from 'node:fs';
import fastify from 'fastify';

/** What the case `cached` has written; the body is in base64. */
interface Prebuilt {
  readonly pattern: string;
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | null;
}

const file = readFileSync(process.env.ANSWER_FILE ?? '', 'utf8');
const { pattern, status, headers, body } = JSON.parse(file) as Prebuilt;
const bytes = body === null ? undefined : Buffer.from(body, 'base64');

const app = fastify();
app.get('/ready', () => 'ready');
app.get(pattern, (_request, reply) => {
  void reply.code(status).headers(headers).send(bytes);
});
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
