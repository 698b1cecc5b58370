import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { awaitsContinue, bodyHeaderError, takesBody } from '../../input/body-headers.js';
import { DEFAULT_BODY_LIMIT } from '../../input/body-limit.js';
import { Admission } from './admission.js';
import { NO_SCOPE } from '../key-scopes/key-scope.js';
import { configureRoutes } from '../route-config.js';

type Done = (error?: Error) => void;
type OnRequest = (request: FastifyRequest, reply: FastifyReply, done: Done) => void;

/**
 * Adds an `onRequest` hook, which runs before the body is read, to every route of a controller. The hook
 * calls the guards, checks the media type and `Content-Length` of the body, and sends `100 Continue` if the
 * client waits for it. Nest calls the guards later, but they do not check again what this hook has
 * admitted.
 *
 * The hook runs after the route's other `onRequest` hooks, so that hits of the response cache skip it.
 *
 * @param app must not have registered its routes yet
 */
export function registerAdmission(app: NestFastifyApplication, fastify: FastifyInstance): void {
  configureRoutes(app);
  fastify.decorateRequest('admittedBy', null);
  fastify.decorateRequest('keyScopes', NO_SCOPE);
  const admission = app.get(Admission);
  const added = new WeakSet<OnRequest>();
  fastify.addHook('onRoute', (route) => {
    const { access, bodyLimit = DEFAULT_BODY_LIMIT } = route.config ?? {};
    const hooks = [route.onRequest ?? []].flat() as OnRequest[];
    // Fastify's automatic HEAD route already has the hooks of its GET route.
    if (!access || hooks.some((hook) => added.has(hook))) return;
    route.bodyLimit = bodyLimit;
    const readsBody = takesBody(route);
    const routeAccess = admission.routeAccessOf(access);
    const admit: OnRequest = (request, reply, done) => {
      const checkBodyHeaders = (): void => {
        const error = readsBody ? bodyHeaderError(request, bodyLimit) : null;
        if (readsBody && !error && awaitsContinue(request.raw)) reply.raw.writeContinue();
        done(error ?? undefined);
      };
      const pending = admission.admit(request, reply, routeAccess);
      if (pending) pending.then(checkBodyHeaders, done);
      else checkBodyHeaders();
    };
    added.add(admit);
    route.onRequest = [...hooks, admit];
  });
}
