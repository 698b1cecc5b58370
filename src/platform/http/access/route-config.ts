import { HttpCode, type INestApplicationContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { FastifyContextConfig } from 'fastify';
import { knownNamesOf, type KnownNames } from '../input/unknown-names.js';
import { bodyLimitOf, endpointOf, messageOf } from '../openapi/endpoint.decorator.js';
import { viewOf } from '../openapi/envelope-schema.js';
import { accessOf, type Access } from './access.decorator.js';
import { controllerMethodsOf } from './controller-methods.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The access rules of the route; set on every route of a controller. */
    readonly access?: Access;
    /** Maximum size of the request body in bytes. */
    readonly bodyLimit?: number;
    /** The envelope's message on success; undefined for a route that answers without an envelope. */
    readonly message?: string | undefined;
    /** The names that a request of the route may have; set on every route of a controller. */
    readonly knownNames?: KnownNames;
  }
}

/**
 * Writes the access rules, body limit, message and known names of every handler into its Fastify route config, so
 * that Fastify's hooks use the same rules as Nest's guards. It also sets the status of every success to
 * HTTP 200, for POST as well.
 *
 * @param app must not have registered its routes yet
 */
export function configureRoutes(app: INestApplicationContext): void {
  const reflector = app.get(Reflector);
  for (const { controller, name, method } of controllerMethodsOf(app)) {
    const config: FastifyContextConfig = {
      ...reflector.get<FastifyContextConfig | undefined>(FASTIFY_ROUTE_CONFIG_METADATA, method),
      access: accessOf(reflector, { getHandler: () => method, getClass: () => controller }),
      bodyLimit: bodyLimitOf(reflector, method),
      message: messageOf(reflector, method),
      knownNames: knownNamesOf(controller, name, viewOf(endpointOf(reflector, method) ?? {})[0]),
    };
    for (const decorate of [RouteConfig(config), HttpCode(200)]) {
      decorate(controller.prototype as object, name, { value: method });
    }
  }
}
