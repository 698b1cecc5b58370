/** The baseline for pictures: Fastify with @fastify/static and a folder of files. */
import fastifyStatic from '@fastify/static';
import fastify from 'fastify';

const app = fastify();
app.get('/ready', () => 'ready');
await app.register(fastifyStatic, { root: process.env.FOLDER ?? '' });
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
