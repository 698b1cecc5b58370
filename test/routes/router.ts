import { RequestMethod, type DynamicModule, type Type } from '@nestjs/common';
import { METHOD_METADATA, MODULE_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { Reflector } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { AppModule } from '../../src/app.module.js';
import { accessOf, type Access } from '../../src/platform/http/access/access.decorator.js';
import { methodsOf } from '../../src/platform/http/access/controller-methods.js';
import {
  endpointOf,
  type EndpointOptions,
} from '../../src/platform/http/openapi/endpoint.decorator.js';
import { validateEnv } from '../../src/platform/config/env.js';

/** What the decorators of a route declare. */
export interface DeclaredRoute {
  /** As `routesOf` lists it. */
  readonly route: string;
  readonly access: Access;
  readonly endpoint: EndpointOptions;
}

/** Every route of every controller, known before a server is started. HEAD is not among them. */
export const DECLARED_ROUTES: readonly DeclaredRoute[] = controllersOf(
  AppModule.register({ env: validateEnv({ NODE_ENV: 'test' }) }),
).flatMap(declaredRoutesOf);

/** @param imported a module, or a placeholder such as a promise or a `forwardRef`, which adds no controllers */
function controllersOf(imported: unknown, seen = new Set<unknown>()): Type[] {
  const {
    module,
    imports = [],
    controllers = [],
  }: Partial<DynamicModule> = isDynamic(imported) ? imported : { module: imported as Type };
  if (typeof module !== 'function' || seen.has(module)) return [];
  seen.add(module);
  const listed = (key: string): unknown[] =>
    (Reflect.getMetadata(key, module) as unknown[] | undefined) ?? [];
  return [
    ...(listed(MODULE_METADATA.CONTROLLERS) as Type[]),
    ...controllers,
    ...[...listed(MODULE_METADATA.IMPORTS), ...imports].flatMap((other) =>
      controllersOf(other, seen),
    ),
  ];
}

function isDynamic(imported: unknown): imported is DynamicModule {
  return typeof imported === 'object' && imported !== null && 'module' in imported;
}

function declaredRoutesOf(controller: Type): DeclaredRoute[] {
  const reflector = new Reflector();
  const base = Reflect.getMetadata(PATH_METADATA, controller) as string;
  return methodsOf(controller).flatMap(({ name, method: handler }) => {
    const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
    if (method === undefined) return [];
    const endpoint = endpointOf(reflector, handler);
    if (!endpoint) throw new Error(`${controller.name}.${name} lacks @Endpoint`);
    const access = accessOf(reflector, { getHandler: () => handler, getClass: () => controller });
    const paths = [Reflect.getMetadata(PATH_METADATA, handler) as string | string[]].flat();
    return paths.map((path) => {
      const segments = [base, path].flatMap((part) => part.split('/')).filter(Boolean);
      const route = `${RequestMethod[method]} /${segments.join('/')}`;
      return { route, access, endpoint };
    });
  });
}

/** A line of `printRoutes`: indentation in steps of four, the rest of the path, the methods. */
const LINE = /^([│ ]*)[├└]── (\S*) \((.+)\)$/;

/**
 * Every route of the running router, whoever registered it, such as `GET /blog/id/:id`. It is read from the
 * router's own listing, because an onRoute hook of Fastify misses the routes that were registered before it.
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
