import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { DynamicModule, INestApplication } from '@nestjs/common';
import { importerOfBuilt } from '../support/built.ts';

/** The part of the built server that is used here. */
interface Built {
  'app.module': { AppModule: { register(options: { env: object }): DynamicModule } };
  'platform/config/env': { validateEnv: (settings: Readonly<Record<string, string>>) => object };
  'openapi/openapi': { createOpenApiDocument: (app: INestApplication) => OpenAPIObject };
}

const built = importerOfBuilt<Built>();

/**
 * Makes the OpenAPI description of the built server without starting it or connecting to a database: in its preview
 * mode Nest scans the modules, but creates no providers.
 */
export async function describeServer(): Promise<OpenAPIObject> {
  const { AppModule } = await built('app.module');
  const { validateEnv } = await built('platform/config/env');
  const { createOpenApiDocument } = await built('openapi/openapi');
  const env = validateEnv({ NODE_ENV: 'test', MONGODB_URI: 'mongodb://127.0.0.1/unused' });
  const app = await NestFactory.create(AppModule.register({ env }), new FastifyAdapter(), {
    preview: true,
    abortOnError: false,
    logger: ['error'],
  });
  return createOpenApiDocument(app);
}
