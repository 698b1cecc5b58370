import { HttpCode, type INestApplicationContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { FastifyContextConfig } from 'fastify';
import { responseMessageOf } from '../http/envelope/response-message.decorator.js';
import { bodyLimitOf } from '../openapi/endpoint.decorator.js';
import { accessOf, type Access } from './access.decorator.js';
import { handlersOf } from './controller-handlers.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a request must present; of every route that a controller answers. */
    readonly access?: Access;
    /** Bytes of a body at most. */
    readonly bodyLimit?: number;
    /** The envelope's message on success; undefined where the value goes out without an envelope. */
    readonly message?: string | undefined;
  }
  interface FastifyRequest {
    /** The rules that were found to be met; null while nobody has asked. */
    admittedBy: Access | null;
  }
}

/**
 * Adds to the route config of every handler what its decorators say of access, bodies and answers,
 * beside what it has already. So a hook of Fastify reads the same rules as the guards do. Success is
 * always HTTP 200, for POST as well.
 *
 * @param app whose routes are not registered yet
 */
export function configureRoutes(app: INestApplicationContext): void {
  const reflector = app.get(Reflector);
  for (const { controller, name, handler } of handlersOf(app)) {
    const config: FastifyContextConfig = {
      ...reflector.get<FastifyContextConfig | undefined>(FASTIFY_ROUTE_CONFIG_METADATA, handler),
      access: accessOf(reflector, { getHandler: () => handler, getClass: () => controller }),
      bodyLimit: bodyLimitOf(reflector, handler),
      message: responseMessageOf(reflector, handler),
    };
    for (const decorate of [RouteConfig(config), HttpCode(200)]) {
      decorate(controller.prototype as object, name, { value: handler });
    }
  }
}
