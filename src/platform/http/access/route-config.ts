import { HttpCode, type INestApplicationContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { FastifyContextConfig } from 'fastify';
import { bodyLimitOf, messageOf } from '../openapi/endpoint.decorator.js';
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
  }
}

/**
 * Writes the access rules, body limit and message of every handler into its Fastify route config, so
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
    };
    for (const decorate of [RouteConfig(config), HttpCode(200)]) {
      decorate(controller.prototype as object, name, { value: method });
    }
  }
}
