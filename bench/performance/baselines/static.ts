/**
 * The baseline for cached reads: Fastify with one route that sends one prebuilt answer. No server on this framework
 * can be faster. The bench copies the answer from Pressroom, except that `x-request-id` is constant here.
 */
import { readFileSync } from 'node:fs';
import fastify from 'fastify';

/** The file that the case `cached` writes. The body is in base64. */
interface PrebuiltAnswer {
  readonly pattern: string;
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | null;
}

const file = readFileSync(process.env.ANSWER_FILE ?? '', 'utf8');
const { pattern, status, headers, body } = JSON.parse(file) as PrebuiltAnswer;
const bytes = body === null ? undefined : Buffer.from(body, 'base64');

const app = fastify();
app.get('/ready', () => 'ready');
app.get(pattern, (_request, reply) => {
  void reply.code(status).headers(headers).send(bytes);
});
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
