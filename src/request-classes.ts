import type { ClassByRoute } from './platform/overload/request-class.js';

/**
 * The classes of the routes whose class does not follow from the HTTP method. A route with null is never
 * refused.
 */
export const CLASS_BY_ROUTE: ClassByRoute = {
  'GET /health': null,
  'GET /health/live': null,
  'GET /health/ready': null,
  'GET /blogs/search': 'costly-read',
  'GET /blogs/similar/id/:id': 'costly-read',
  'GET /feeds/rss.xml': 'costly-read',
  'GET /feeds/atom.xml': 'costly-read',
  'GET /feeds/feed.json': 'costly-read',
  'GET /sitemap.xml': 'costly-read',
  'POST /auth/signin/basic': 'sign-in',
  'POST /auth/signup/basic': 'sign-in',
  'PUT /auth/password': 'sign-in',
  'DELETE /profile/mine': 'sign-in',
};
