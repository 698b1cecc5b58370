import type { RequestListener, ServerResponse } from 'node:http';
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { DurationHistogram } from './duration-histogram.js';
import type { Metric, Sample } from '../metric.js';

/**
 * Methods with a label of their own. All others share one, because a client may send any method
 * that Node's parser knows.
 */
const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
]);
const OTHER_METHOD = 'other';

/** The label of requests without a route, and of requests that are refused before they are routed. */
const NO_ROUTE = '(none)';

/** The label of requests whose client has disconnected before an answer. */
const ABORTED = 'aborted';

/** The figures of one method of one route. */
class Figures {
  readonly statuses = new Map<number | typeof ABORTED, number>();
  readonly durations = new DurationHistogram();
}

/** The figures of a route by method. */
type RouteFigures = Map<string, Figures>;

interface CountedResponse extends ServerResponse {
  startedAt?: number;
  figures?: RouteFigures;
}

const REQUESTS = 'pressroom_http_requests_total';
const DURATIONS = 'pressroom_http_request_duration_seconds';

/**
 * Counts the requests by the pattern of their route, never by their path, so that clients cannot create time
 * series. It wraps Fastify's request handler instead of adding a hook, because the response cache answers
 * before most hooks run, and an `onResponse` hook would cost more than everything else here.
 */
export class RequestMetrics {
  private readonly routes = new Map<string, RouteFigures>();
  private readonly unrouted = this.figuresOf(NO_ROUTE);
  private inFlight = 0;

  /** Wraps Fastify's request handler, to count the requests. */
  observed(application: RequestListener): RequestListener {
    const count = (response: CountedResponse): void => this.count(response);
    const ended = function (this: CountedResponse): void {
      count(this);
    };
    return (request, response: CountedResponse) => {
      this.inFlight += 1;
      response.startedAt = performance.now();
      response.figures = this.unrouted;
      // Node also emits `close` when a client disconnects before the answer.
      response.on('close', ended);
      application(request, response);
    };
  }

  /**
   * Makes each route count in figures of its own. Call it before the routes are registered, but after all
   * other plugins: it puts its hook before their hooks, which may answer.
   */
  countByRoute(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', (route) => {
      const figures = this.figuresOf(route.url);
      const setRoute: onRequestHookHandler = (_request, reply, done) => {
        (reply.raw as CountedResponse).figures = figures;
        done();
      };
      route.onRequest = [setRoute, ...[route.onRequest ?? []].flat()];
    });
  }

  get metrics(): Metric[] {
    return [
      {
        name: REQUESTS,
        type: 'counter',
        help: 'Requests by method, pattern of the route, and status.',
        read: () => this.counts(),
      },
      {
        name: DURATIONS,
        type: 'histogram',
        help: 'From the start of a request to the end of its response, by method and route.',
        read: () => this.durations(),
      },
      {
        name: 'pressroom_http_requests_in_flight',
        type: 'gauge',
        help: 'Requests that are being answered.',
        read: () => [{ value: this.inFlight }],
      },
    ];
  }

  private figuresOf(route: string): RouteFigures {
    const figures = this.routes.get(route) ?? new Map<string, Figures>();
    this.routes.set(route, figures);
    return figures;
  }

  private count(response: CountedResponse): void {
    this.inFlight -= 1;
    const { req, headersSent, statusCode, startedAt = NaN, figures: byMethod } = response;
    const method = METHODS.has(req.method ?? '') ? String(req.method) : OTHER_METHOD;
    let figures = byMethod?.get(method);
    if (!figures) {
      figures = new Figures();
      byMethod?.set(method, figures);
    }
    const status = headersSent ? statusCode : ABORTED;
    figures.statuses.set(status, (figures.statuses.get(status) ?? 0) + 1);
    figures.durations.observe((performance.now() - startedAt) / 1_000);
  }

  private *each(): Generator<[labels: { method: string; route: string }, figures: Figures]> {
    for (const [route, byMethod] of this.routes) {
      for (const [method, figures] of byMethod) yield [{ method, route }, figures];
    }
  }

  private *counts(): Generator<Sample> {
    for (const [labels, { statuses }] of this.each()) {
      for (const [status, value] of statuses) yield { value, labels: { ...labels, status } };
    }
  }

  private *durations(): Generator<Sample> {
    for (const [labels, { durations }] of this.each()) yield* durations.samples(DURATIONS, labels);
  }
}
