import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  ApiError,
  DatabaseUnavailableError,
  InternalServerError,
  MethodNotAllowedError,
  UnavailableError,
  UnknownPathError,
  type ErrorDetails,
} from './api.errors.js';
import { OutageLog } from '../../logging/outage-log.js';
import { errorEnvelope } from '../envelope/envelope.js';
import { frameworkErrorOf } from './framework-errors.js';
import { isDiskFailure } from './is-disk-failure.js';
import { isDatabaseUnavailable } from './is-database-unavailable.js';

const DISK_MESSAGE = 'the server cannot use its disk at the moment: try again in a moment';

type Headers = NonNullable<ErrorDetails['headers']>;

/**
 * Sends every error as an envelope:
 * 1. no route matched: 404, or 405 with `Allow` when the path has routes for other methods;
 * 2. an HttpException: its own status, and the members that `detailsOf` returns;
 * 3. an unreachable database: 503; for a write, the message says that it may have happened. OutageLog logs
 *    the cause;
 * 4. a disk that is full or read-only: 503. The log has the cause;
 * 5. anything else is a defect: 500 without details. The log has the error under the request id.
 */
@Catch()
export class ApiExceptionFilter implements ExceptionFilter {
  private readonly outages = new OutageLog();

  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const error = request.is404
      ? toUnroutedError(request)
      : toHttpException(exception, request.method);
    if (!(exception instanceof HttpException)) this.log(exception, error, request);
    const { headers = {}, ...members } = detailsOf(error, request);
    const status = error.getStatus();
    void reply
      .status(status)
      .headers(adaptLocation(request, headers))
      .send(errorEnvelope(status, members));
  }

  private log(err: unknown, answer: HttpException, { log }: FastifyRequest): void {
    if (answer instanceof DatabaseUnavailableError) this.outages.add({ log, err });
    else log.error({ err }, 'failed');
  }
}

/**
 * Adapts `location`, a relative URL that replaces the last segment of the request's path. If that path
 * ends with a slash, the URL needs `../` to do so.
 */
function adaptLocation({ url }: FastifyRequest, headers: Headers): Headers {
  const { location } = headers;
  const endsWithSlash = url.split('?')[0]?.endsWith('/');
  return location && endsWithSlash ? { ...headers, location: `../${location}` } : headers;
}

function toUnroutedError({ server, url }: FastifyRequest): HttpException {
  const methods = server.allowedMethods(url.split('?')[0] ?? '/');
  return methods.length === 0 ? new UnknownPathError() : new MethodNotAllowedError(methods);
}

function toHttpException(exception: unknown, method: string): HttpException {
  if (exception instanceof HttpException) return exception;
  if (isDiskFailure(exception)) return new UnavailableError(DISK_MESSAGE);
  return isDatabaseUnavailable(exception)
    ? new DatabaseUnavailableError(method)
    : new InternalServerError();
}

/**
 * Returns the details of an error. An ApiError has them. Nest wraps an error of Fastify in an HttpException, as
 * `cause`; framework-errors.ts has the details of such a cause. Any other HttpException gets its reason from
 * its status.
 */
function detailsOf(error: HttpException, { routeOptions }: FastifyRequest): ErrorDetails {
  if (error instanceof ApiError) return error.getResponse();
  const { message, cause } = error;
  const framework = frameworkErrorOf(cause, routeOptions.bodyLimit);
  const reason = error.getStatus() < 500 ? 'malformed_request' : 'internal_error';
  return framework ?? { message, reason };
}
