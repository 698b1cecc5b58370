import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { configureRoutes } from '../common/access/route-config.js';
import { awaitsContinue, bodyRefusal } from '../common/http/input/body-headers.js';
import { DEFAULT_BODY_LIMIT } from '../common/http/input/body-limit.js';
import { AdmissionService } from './admission.service.js';

type Done = (error?: Error) => void;
type OnRequest = (request: FastifyRequest, reply: FastifyReply, done: Done) => void;

/** Fastify reads no body of these. */
const BODYLESS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Decides on every request to a controller's route before a byte of its body is read: key, token,
 * role, then the type and the announced length of the body. Whoever waits for a 100 gets it after
 * that. The guards come later and take the verdict, or decide themselves where there is none.
 *
 * It comes after the other hooks of a route, so that the fast lane answers without it.
 *
 * @param app whose routes are not registered yet
 */
export function registerAdmission(app: NestFastifyApplication, fastify: FastifyInstance): void {
  configureRoutes(app);
  fastify.decorateRequest('admittedBy', null);
  const admission = app.get(AdmissionService);
  const ours = new WeakSet<OnRequest>();
  fastify.addHook('onRoute', (route) => {
    const { access, bodyLimit = DEFAULT_BODY_LIMIT } = route.config ?? {};
    const hooks = [route.onRequest ?? []].flat() as OnRequest[];
    // An automatic HEAD route brings the hooks of its GET along.
    if (!access || hooks.some((hook) => ours.has(hook))) return;
    route.bodyLimit = bodyLimit;
    const readsBody = ![route.method].flat().every((method) => BODYLESS.has(method));
    const admit: OnRequest = (request, reply, done) => {
      const accept = (): void => {
        const refusal = readsBody ? bodyRefusal(request, bodyLimit) : null;
        if (readsBody && !refusal && awaitsContinue(request.raw)) reply.raw.writeContinue();
        done(refusal ?? undefined);
      };
      const pending = admission.admit(request, reply, access);
      if (pending) pending.then(accept, done);
      else accept();
    };
    ours.add(admit);
    route.onRequest = [...hooks, admit];
  });
}
