/** A server without work. It answers `/ready`, and its latency shows the delays of the machine itself. */
import fastify from 'fastify';

const app = fastify();
app.get('/ready', () => 'ready');
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
