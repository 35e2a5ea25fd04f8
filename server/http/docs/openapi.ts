import type { AnyEndpoint, Schema } from '@qatra/contract/endpoint'
import { type ErrorCode, errors } from '@qatra/contract/errors'
import { type Allow, rolesAllowed } from '@qatra/contract/users/roles'
import * as z from 'zod/mini'

type Json = Record<string, unknown>

/** Errors that follow from the endpoint's kind, besides those it names. */
export function refusalsOf(endpoint: AnyEndpoint): ErrorCode[] {
  const isChanging = endpoint.method !== 'GET'
  return [
    ...new Set<ErrorCode>([
      'BAD_REQUEST',
      ...(endpoint.query ? (['INVALID_QUERY'] as const) : []),
      ...(endpoint.params ? (['NOT_FOUND'] as const) : []),
      ...(endpoint.allow === 'anyone' ? [] : (['SIGNED_OUT'] as const)),
      ...(endpoint.allow === 'anyone' || endpoint.allow === 'signed-in'
        ? []
        : ([endpoint.deniedAs ?? 'FORBIDDEN'] as const)),
      ...(isChanging ? (['CROSS_ORIGIN', 'TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'TOO_MANY_REQUESTS'] as const) : []),
      ...(endpoint.body ? (['INVALID_BODY'] as const) : []),
      ...(endpoint.errors ?? []),
      'UNAVAILABLE',
      ...(isChanging ? (['DISK_FULL'] as const) : []),
    ]),
  ]
}

function jsonSchema(schema: Schema, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' })
  return json
}

/** Parameters from a query or path schema. */
function parameters(schema: Schema | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, shape]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: shape,
  }))
}

/** Describes `allow` in words. */
export function whoMay(allow: Allow): string {
  if (allow === 'anyone') return 'anyone'
  if (allow === 'signed-in') return 'signed-in people'
  return (rolesAllowed(allow) ?? []).join(', ')
}

const refusalRef = { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } }

function responses(endpoint: AnyEndpoint): Json {
  const byStatus = new Map<number, string[]>()
  for (const code of refusalsOf(endpoint)) {
    const [status, message] = errors[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), `${code}: ${message}`])
  }
  const success =
    endpoint.status === 204
      ? { 204: { description: 'Done; no body' } }
      : {
          200: {
            description: 'Done',
            content: {
              [endpoint.produces?.split(';')[0] ?? 'application/json']: {
                schema: endpoint.produces ? { type: 'string' } : jsonSchema(endpoint.returns, 'output'),
              },
            },
          },
        }
  const failures = [...byStatus].sort(([a], [b]) => a - b)
  return {
    ...success,
    ...Object.fromEntries(
      failures.map(([status, lines]) => [status, { description: lines.join('\n\n'), content: refusalRef }]),
    ),
  }
}

function operation(endpoint: AnyEndpoint): Json {
  const schema = endpoint.body && jsonSchema(endpoint.body, 'input')
  const body = endpoint.body && {
    requestBody: {
      required: !endpoint.body.safeParse({}).success,
      content: Object.fromEntries((endpoint.accepts ?? ['application/json']).map((kind) => [kind, { schema }])),
    },
  }
  return {
    summary: endpoint.summary,
    description: `For ${whoMay(endpoint.allow)}.`,
    tags: [endpoint.path.split('/')[2]],
    ...(endpoint.allow === 'anyone' ? {} : { security: [{ session: [] }] }),
    parameters: [...parameters(endpoint.params, 'path'), ...parameters(endpoint.query, 'query')],
    ...body,
    responses: responses(endpoint),
  }
}

/** The OpenAPI 3.1 document of the endpoint table. */
export function openApiDocument(endpoints: readonly AnyEndpoint[], origin: string, sessionCookie: string): Json {
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Qatra',
      version: '1.0.0',
      description:
        'JSON over cookies. Money is a number in BHD with at most three decimals, times are ISO with milliseconds. ' +
        'A refusal names its `code`; `message` is fixed for it, `details.fields` speaks the language of the request.',
    },
    servers: [{ url: origin }],
    paths,
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: sessionCookie } },
      schemas: {
        Refusal: {
          type: 'object',
          required: ['code', 'message', 'details'],
          properties: {
            code: { type: 'string', enum: Object.keys(errors) },
            message: { type: 'string' },
            details: {
              type: 'object',
              properties: { fields: { type: 'object', additionalProperties: { type: 'string' } } },
            },
          },
        },
      },
    },
  }
}
