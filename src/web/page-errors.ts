import { HttpException } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import type { FastifyInstance } from 'fastify';
import { ApiExceptionFilter } from '../platform/http/errors/exception.filter.js';

/**
 * Sends the errors of a Fastify scope as the API sends its errors. Nest passes only errors of its own routes to
 * the filter. Call it before the routes of the scope are declared.
 */
export function registerPageErrors(scope: FastifyInstance): void {
  const filter = new ApiExceptionFilter();
  scope.setErrorHandler<Error & { readonly statusCode?: number }>((error, request, reply) => {
    const { statusCode = 500, message } = error;
    const exception =
      statusCode < 500 ? new HttpException(message, statusCode, { cause: error }) : error;
    filter.catch(exception, new ExecutionContextHost([request, reply]));
  });
}
