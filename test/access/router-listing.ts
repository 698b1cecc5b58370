import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';

/** A line of the tree: indentation in steps of four, the rest of the path, the methods. */
const LINE = /^([│ ]*)[├└]── (\S*) \((.+)\)$/;

/**
 * Every route of the running router, whoever registered it, such as `GET /blog/id/:id`: read from
 * the router's own listing, because Fastify's onRoute tells only of what comes after it.
 *
 * @throws Error for a line that is not understood, so that no route can hide in it
 */
export function routesOf(app: NestFastifyApplication): string[] {
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  const tree = fastify.printRoutes({ commonPrefix: false, includeMeta: false });
  const parents: string[] = [];
  return tree
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const [, indentation, part, methods] = LINE.exec(line) ?? [];
      if (indentation === undefined || part === undefined || methods === undefined) {
        throw new Error(`the router's listing has a line that is not understood: ${line}`);
      }
      const depth = indentation.length / 4;
      const path = `${parents.slice(0, depth).join('')}${part}`;
      parents.splice(depth, parents.length, part);
      return methods.split(', ').map((method) => `${method} ${path}`);
    });
}
