import { z } from 'zod';

import { errorView } from '@/lib/contracts/plane/errors';
import { errorCodes } from '@/lib/shared/error-codes';

import type { Route } from './define-route';

/** OpenAPI 3.1, written from the same schemas that parse the bodies. */
export function describeApi(routes: readonly Route[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replace('::', ':').replace(/\/:(\w+)/g, '/{$1}');
    (paths[path] ??= {})[route.method.toLowerCase()] = operation(route);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Countersign decision plane', version: '1' },
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: schemaOf(errorView), ErrorCode: { type: 'string', enum: Object.keys(errorCodes) } },
    },
  };
}

function operation(route: Route): object {
  const success = { description: route.summary, ...(route.output ? { content: jsonContent(schemaOf(route.output)) } : {}) };
  const parameters = [...route.path.matchAll(/\/:(\w+)/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  return {
    summary: route.summary,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.input ? { requestBody: { required: true, content: jsonContent(schemaOf(route.input)) } } : {}),
    ...(route.credential === 'none' ? { security: [] } : { security: [{ bearer: [] }], 'x-credentials': route.credential }),
    responses: { [route.status]: success, default: { description: 'A fault.', content: jsonContent({ $ref: '#/components/schemas/Error' }) } },
  };
}

const jsonContent = (schema: object): object => ({ 'application/json': { schema } });

const schemaOf = (schema: z.ZodType): object => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' });
  return rest;
};
