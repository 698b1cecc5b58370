/**
 * A server that has nothing to do: it answers on `/ready`, and how long that takes shows what the
 * machine itself delays.
 */
import fastify from 'fastify';

const app = fastify();
app.get('/ready', () => 'ready');
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
