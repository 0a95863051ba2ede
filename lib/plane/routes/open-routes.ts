import { defineOpenRoute, type Route } from '../define-route';

export const openRoutes: readonly Route[] = [
  defineOpenRoute({ path: '/healthz', summary: 'The process answers.', handler: (services) => services.health() }),
  defineOpenRoute({
    path: '/readyz',
    summary: 'The database answers; and whether a policy is in force.',
    handler: (services) => services.readiness(),
  }),
];
